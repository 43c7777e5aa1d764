package io.stockroom.console.imports;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.http.BodyFailure;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.settings.FileSize;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** Lists imports and uploads new files. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class UploadPages {
  private static final int PAGE_SIZE = 50;

  private final Imports imports;
  private final MerchantDirectory merchants;

  public UploadPages(Imports imports, MerchantDirectory merchants) {
    this.imports = imports;
    this.merchants = merchants;
  }

  /**
   * @param merchant for an operator: the merchant's id, or the text of the merchant field
   * @param before shows imports older than this one; 0 for the newest
   */
  @GetMapping("/imports")
  String list(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(defaultValue = "") String merchant,
      @RequestParam(defaultValue = "0") int before,
      Model model)
      throws SQLException {
    Integer merchantId = MerchantScope.typed(visit, merchant, merchants);
    List<ImportJob> jobs = new ArrayList<>(imports.page(merchantId, before, PAGE_SIZE + 1));
    boolean more = jobs.size() > PAGE_SIZE;
    if (more) {
      jobs.removeLast();
    }
    model.addAttribute("jobs", jobs.stream().map(job -> view(job, visit)).toList());
    model.addAttribute("names", names(jobs, merchantId));
    model.addAttribute("merchantId", merchantId);
    model.addAttribute("unknown", merchantId == null && !merchant.isBlank());
    model.addAttribute("asked", merchant);
    model.addAttribute("first", before == 0);
    model.addAttribute("next", more ? jobs.getLast().importId() : null);
    model.addAttribute("most", FileSize.shown(imports.maxBytes()));
    return "imports";
  }

  private static ImportView view(ImportJob job, ConsoleRequest visit) {
    return new ImportView(job, visit.language());
  }

  private Map<Integer, String> names(List<ImportJob> jobs, @Nullable Integer chosen)
      throws SQLException {
    Set<Integer> merchantIds = new TreeSet<>();
    jobs.forEach(job -> merchantIds.add(job.merchantId()));
    if (chosen != null) {
      merchantIds.add(chosen);
    }
    return merchants.names(merchantIds);
  }

  /** Checks the quota before the upload, because browsers ignore an error during an upload. */
  @PostMapping("/imports/ready")
  void ready(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable Integer merchant,
      @RequestParam long bytes,
      HttpServletResponse response)
      throws SQLException {
    check(visit, MerchantScope.one(visit, merchant), bytes);
    response.setStatus(204);
  }

  /** Stores the upload while it arrives. */
  @LimitedAs(CallKind.UPLOAD)
  @PostMapping("/imports")
  void upload(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam(required = false) @Nullable Integer merchant,
      @RequestParam(defaultValue = "") String name,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException {
    int merchantId = MerchantScope.one(visit, merchant);
    check(visit, merchantId, request.getContentLengthLong());
    ImportJob job = store(merchantId, Imports.name(name), request, visit);
    response.setStatus(201);
    response.setHeader("Location", "/console/imports/" + merchantId + "/" + job.importId());
  }

  private ImportJob store(
      int merchantId, String name, HttpServletRequest request, ConsoleRequest visit)
      throws SQLException {
    try {
      return imports.submit(
          merchantId,
          name,
          request.getInputStream(),
          false,
          false,
          ImportOptions.in(visit.language()),
          visit.actor());
    } catch (JobRejection rejection) {
      throw said(rejection.problem(), visit);
    } catch (IOException stopped) {
      // the upload was interrupted; the received part is discarded
      throw new PageException(BodyFailure.code(stopped).status(), "upload");
    }
  }

  private void check(ConsoleRequest visit, int merchantId, long bytes) throws SQLException {
    if (!imports.merchantExists(merchantId)) {
      throw PageException.missing();
    }
    try {
      imports.check(merchantId, bytes);
    } catch (JobRejection rejection) {
      throw said(rejection.problem(), visit);
    }
  }

  private static PageException said(Problem problem, ConsoleRequest visit) {
    return new PageException(problem.code().status(), "said", problem.message(visit.language()));
  }
}
