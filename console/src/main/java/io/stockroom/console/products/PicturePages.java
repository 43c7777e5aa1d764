package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.catalogue.ProductEditor;
import io.stockroom.core.catalogue.ProductEditor.Outcome;
import io.stockroom.core.http.BodyFailure;
import io.stockroom.pictures.PictureRejection;
import io.stockroom.pictures.Pictures;
import io.stockroom.pictures.StoreUnavailable;
import io.stockroom.pictures.StoredPicture;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.ProductText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.core.JsonGenerator;

/** Takes the pictures that the product form and the stock grid send. */
@Controller
@Allow(Role.MERCHANT)
public final class PicturePages {
  /** The sizes of thumbnails in the console. */
  public static final int SMALL = 80;

  public static final int MEDIUM = 400;

  private static final int RETRY_SECONDS = 5;

  private final Pictures pictures;
  private final ProductEditor editor;
  private final MessageSource messages;

  public PicturePages(Pictures pictures, ProductEditor editor, MessageSource messages) {
    this.pictures = pictures;
    this.editor = editor;
    this.messages = messages;
  }

  /** Stores one picture; the body is the file. The product refers to it when it is saved. */
  @LimitedAs(CallKind.UPLOAD)
  @PostMapping("/products/pictures")
  void upload(
      @RequestAttribute ConsoleRequest visit,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException, IOException {
    StoredPicture stored = store(visit, request);
    send(
        response,
        201,
        (out, _) -> {
          out.writeStartObject();
          picture(out, stored.address(), visit);
          out.writeNumberProperty("width", stored.width());
          out.writeNumberProperty("height", stored.height());
          out.writeEndObject();
        },
        visit);
  }

  private StoredPicture store(ConsoleRequest visit, HttpServletRequest request)
      throws SQLException {
    try {
      return pictures.store(visit.merchantId(), request.getInputStream());
    } catch (PictureRejection rejection) {
      throw said(rejection.problem(), visit);
    } catch (StoreUnavailable unavailable) {
      throw said(Problem.of("", ErrorCode.PICTURES_UNAVAILABLE, RETRY_SECONDS), visit);
    } catch (IOException stopped) {
      // the upload was interrupted; nothing is stored
      throw new PageException(BodyFailure.code(stopped).status(), "upload");
    }
  }

  /**
   * Sets the picture of a color at once.
   *
   * @param before the address that the page knows; empty for none
   * @param address empty: the color has no picture
   */
  @PostMapping("/products/{id}/color-picture")
  void setColorPicture(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int id,
      @RequestParam String color,
      @RequestParam(defaultValue = "") String before,
      @RequestParam(defaultValue = "") String address,
      HttpServletResponse response)
      throws SQLException, IOException {
    if (!address.isEmpty() && !ProductText.isWebAddress(address)) {
      throw said(Problem.of("", ErrorCode.CELL_FORMAT, address, ProductText.ADDRESS_RULE), visit);
    }
    Outcome outcome =
        editor.setColorImage(visit.merchantId(), id, color, before, address, visit.actor());
    switch (outcome) {
      case Outcome.Saved _ ->
          send(
              response,
              200,
              (out, _) -> {
                out.writeStartObject();
                picture(out, address, visit);
                out.writeEndObject();
              },
              visit);
      case Outcome.Changed() ->
          throw new PageException(
              409,
              "said",
              messages.getMessage("pictures.changed", null, Locale.of(visit.language().tag())));
      case Outcome.Missing() -> throw PageException.missing();
      case Outcome.ArtNoUsed _ -> throw new IllegalStateException("not created");
    }
  }

  /** The properties of a picture that scripts expect. */
  public static void picture(JsonGenerator out, String address, ConsoleRequest visit) {
    out.writeStringProperty("address", address);
    out.writeStringProperty("small", visit.thumbnail(address, SMALL));
    out.writeStringProperty("thumbnail", visit.thumbnail(address, MEDIUM));
  }

  private static PageException said(Problem problem, ConsoleRequest visit) {
    return new PageException(problem.code().status(), "said", problem.message(visit.language()));
  }

  private static void send(
      HttpServletResponse response, int status, Answer answer, ConsoleRequest visit)
      throws IOException {
    response.setStatus(status);
    response.setContentType("application/json; charset=utf-8");
    response.getOutputStream().write(answer.json(visit.language()));
  }
}
