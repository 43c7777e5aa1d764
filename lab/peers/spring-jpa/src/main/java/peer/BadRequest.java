package peer;

/** An error in headers, parameters or body: status 400. */
public class BadRequest extends RuntimeException {
  private final String at;
  private final String code;

  public BadRequest(String at, String code, String message) {
    super(message);
    this.at = at;
    this.code = code;
  }

  public String getAt() {
    return at;
  }

  public String getCode() {
    return code;
  }
}
