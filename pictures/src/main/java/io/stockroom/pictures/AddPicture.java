package io.stockroom.pictures;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.call.Success;
import io.stockroom.core.call.UploadEndpoint;
import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.catalogue.ProductNames;
import io.stockroom.core.catalogue.ProductNames.Found;
import io.stockroom.core.catalogue.ProductPictures;
import io.stockroom.core.catalogue.ProductPictures.Spot;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.ProductText;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.NamedProduct;
import io.stockroom.protocol.request.PictureReader;
import io.stockroom.protocol.request.PictureReader.PictureRequest;
import io.stockroom.protocol.request.RequestContent;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Product/Picture}: stores a picture, and adds it to a product if one is named. */
public final class AddPicture implements UploadEndpoint<PictureRequest> {
  public static final String PATH = "/Product/Picture";

  private final Pictures pictures;
  private final IdempotentReplies replies;

  public AddPicture(Pictures pictures, IdempotentReplies replies) {
    this.pictures = pictures;
    this.replies = replies;
  }

  @Override
  public CallKind kind() {
    return CallKind.UPLOAD;
  }

  @Override
  public SignatureRule signatureRule() {
    return SignatureRule.HMAC;
  }

  @Override
  public boolean takesIdempotencyKey() {
    return true;
  }

  @Override
  public PictureRequest read(Call call, RequestContent content) throws InvalidRequest {
    return PictureReader.read(content);
  }

  @Override
  public Answer answer(Call call, PictureRequest request, InputStream body)
      throws SQLException, IOException {
    StoredPicture picture;
    try {
      picture = pictures.store(call.caller().merchantId(), body);
    } catch (PictureRejection rejection) {
      List<Problem> problems = List.of(rejection.problem());
      return rejection.problem().code() == ErrorCode.PICTURE_QUOTA
          ? new Failure(problems)
          : new Rejection(problems, 1);
    } catch (StoreUnavailable unavailable) {
      return PicturesServlet.unavailable();
    }
    byte[] hash = IdempotentReplies.hash((picture.sha256() + request).getBytes(UTF_8));
    return replies.once(
        call,
        new Repeatable(PATH, hash, RateLimit.NONE, isReplayable()),
        connection -> add(connection, call, request, picture));
  }

  private static Answer add(
      Connection connection, Call call, PictureRequest request, StoredPicture picture)
      throws SQLException {
    NamedProduct product = request.product();
    if (product == null) {
      return answer(picture, null);
    }
    int merchantId = call.caller().merchantId();
    Found found = ProductNames.find(connection, merchantId, List.of(product)).of(product);
    boolean isMissing =
        found == null
            || ProductLocks.lockProducts(connection, merchantId, List.of(found.id())).isEmpty();
    if (found == null || isMissing) {
      ErrorCode code =
          found != null && found.archived()
              ? ErrorCode.PRODUCT_ARCHIVED
              : ErrorCode.PRODUCT_MISSING;
      return Failure.of(product.pid() == null ? "artNo" : "pid", code, product.name());
    }
    Origin origin =
        new Origin(
            Actor.of(call.caller()),
            ChangeSource.INTERFACE,
            "product.picture",
            String.valueOf(found.id()),
            request.color() == null ? "imgs" : request.color());
    try {
      Spot spot = new Spot(found.id(), request.color(), request.position());
      return answer(
          picture, ProductPictures.put(connection, merchantId, spot, picture.address(), origin));
    } catch (ProductPictures.TooMany tooMany) {
      int max = ProductText.MAX_IMAGES;
      return Rejection.of("", ErrorCode.LIST_TOO_LONG, max + 1, max);
    }
  }

  private static Answer answer(StoredPicture picture, @Nullable Long number) {
    return new Success(out -> write(out, picture, number));
  }

  private static void write(JsonGenerator out, StoredPicture picture, @Nullable Long number) {
    if (number == null) {
      out.writeNullProperty("number");
    } else {
      out.writeNumberProperty("number", number);
    }
    out.writeStringProperty("address", picture.address());
    out.writeStringProperty("sha256", picture.sha256());
    out.writeNumberProperty("width", picture.width());
    out.writeNumberProperty("height", picture.height());
  }
}
