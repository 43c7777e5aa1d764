package peer;

import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Turns exceptions into the envelope of the interface. */
@RestControllerAdvice
public class ErrorHandler {
  public record Problem(String at, String code, String msg) {}

  public record Rejection(boolean success, String msg, List<Problem> errors) {
    static Rejection of(String at, String code, String msg) {
      return new Rejection(false, msg, List.of(new Problem(at, code, msg)));
    }
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  Rejection handle(BadRequest problem) {
    return Rejection.of(problem.getAt(), problem.getCode(), problem.getMessage());
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  Rejection handle(MissingServletRequestParameterException problem) {
    String name = problem.getParameterName();
    return Rejection.of(name, "FIELD_MISSING", name + " is missing.");
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  Rejection handle(MethodArgumentTypeMismatchException problem) {
    return Rejection.of(
        problem.getName(), "FIELD_FORMAT", "\"" + problem.getValue() + "\" is not allowed.");
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  Rejection handle(HandlerMethodValidationException problem) {
    List<Problem> errors = new ArrayList<>();
    problem
        .getBeanResults()
        .forEach(
            element -> {
              for (FieldError error : element.getFieldErrors()) {
                String at = "[" + element.getContainerIndex() + "]." + error.getField();
                errors.add(new Problem(at, "FIELD_FORMAT", error.getDefaultMessage()));
              }
            });
    problem
        .getValueResults()
        .forEach(
            value ->
                value
                    .getResolvableErrors()
                    .forEach(
                        error ->
                            errors.add(
                                new Problem("", "FIELD_FORMAT", error.getDefaultMessage()))));
    String msg = errors.isEmpty() ? "The request is invalid." : errors.getFirst().msg();
    return new Rejection(false, msg, errors);
  }

  @ExceptionHandler({
    HttpMessageNotReadableException.class,
    HttpMediaTypeNotSupportedException.class
  })
  @ResponseStatus(HttpStatus.BAD_REQUEST)
  Rejection handleBody(Exception problem) {
    return Rejection.of("", "BODY_FORMAT", "The body cannot be read: " + problem.getMessage());
  }

  @ExceptionHandler
  ResponseEntity<Rejection> handle(TooManyRequests problem) {
    return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS)
        .header("Retry-After", Long.toString(problem.getRetrySeconds()))
        .body(Rejection.of("", "CREATE_TOO_SOON", problem.getMessage()));
  }
}
