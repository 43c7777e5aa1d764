package io.stockroom.console.products;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.catalogue.MerchantProducts;
import io.stockroom.core.stock.BulkEdit;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.protocol.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The bulk editor: changes the stock of the selected products, after a preview, as one job. */
@Controller
@Allow(Role.MERCHANT)
public final class BulkPages {
  private static final int UNPROCESSABLE = 422;
  private static final int CONFLICT = 409;
  private static final int MAX_COLORS = 60;

  private final MerchantProducts products;
  private final BulkEdit edits;
  private final Imports imports;
  private final MessageSource messages;

  public BulkPages(
      MerchantProducts products, BulkEdit edits, Imports imports, MessageSource messages) {
    this.products = products;
    this.edits = edits;
    this.imports = imports;
    this.messages = messages;
  }

  /**
   * The empty form.
   *
   * @param parameters a {@link ProductView} and the selection
   */
  @GetMapping("/products/bulk")
  String form(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam MultiValueMap<String, String> parameters,
      Model model)
      throws SQLException {
    ProductView view = ProductView.of(parameters.toSingleValueMap(), visit.zoneId());
    BulkForm form = BulkForm.of(parameters, view);
    return page(visit, form, selected(visit, form), model);
  }

  @PostMapping("/products/bulk/preview")
  String preview(
      @RequestAttribute ConsoleRequest visit,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    BulkForm form = BulkForm.of(request);
    return preview(visit, form, selected(visit, form), response, model);
  }

  private String preview(
      ConsoleRequest visit,
      BulkForm form,
      List<Integer> ids,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    BulkEdit.Request edit = form.request(ids, source(visit, form), visit.language());
    if (form.problems().isEmpty()) {
      model.addAttribute("preview", BulkPreview.of(edits.preview(visit.merchantId(), edit)));
    } else {
      response.setStatus(UNPROCESSABLE);
    }
    return page(visit, form, ids, model);
  }

  /**
   * @param seen what the preview was based on
   */
  @PostMapping("/products/bulk/apply")
  String apply(
      @RequestAttribute ConsoleRequest visit,
      @RequestParam long seen,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    BulkForm form = BulkForm.of(request);
    List<Integer> ids = selected(visit, form);
    BulkEdit.Request edit = form.request(ids, source(visit, form), visit.language());
    if (!form.problems().isEmpty()) {
      response.setStatus(UNPROCESSABLE);
      return page(visit, form, ids, model);
    }
    Imports.Edited edited =
        imports.edit(
            visit.merchantId(),
            edits,
            edit,
            seen,
            name(visit, form),
            visit.language(),
            visit.actor());
    switch (edited.outcome()) {
      case BulkEdit.Outcome.Applied _ -> {
        return "redirect:/console/products/bulk/" + edited.jobId();
      }
      case BulkEdit.Outcome.Changed() -> model.addAttribute("changed", true);
      case BulkEdit.Outcome.Nothing() -> {}
      case BulkEdit.Outcome.Rejected(List<Problem> problems) ->
          model.addAttribute(
              "problem", Problem.sentences(problems, problems.size(), visit.language()));
    }
    response.setStatus(CONFLICT);
    return preview(visit, form, ids, response, model);
  }

  /** What an edit has done, with its undo. */
  @GetMapping("/products/bulk/{job}")
  String done(@RequestAttribute ConsoleRequest visit, @PathVariable int job, Model model)
      throws SQLException {
    model.addAttribute("job", find(visit, job));
    return "bulk-done";
  }

  @PostMapping("/products/bulk/{job}/undo")
  String undo(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int job,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    try {
      ImportJob undo = imports.undo(find(visit, job), visit.language(), visit.actor());
      return "redirect:/console/imports/" + undo.merchantId() + "/" + undo.importId();
    } catch (JobRejection rejection) {
      response.setStatus(CONFLICT);
      model.addAttribute("problem", rejection.problem().message(visit.language()));
      return done(visit, job, model);
    }
  }

  private ImportJob find(ConsoleRequest visit, int id) throws SQLException {
    ImportJob job = imports.find(visit.merchantId(), id);
    if (job == null || job.kind() != ImportJob.Kind.EDIT) {
      throw PageException.missing();
    }
    return job;
  }

  private String page(ConsoleRequest visit, BulkForm form, List<Integer> ids, Model model)
      throws SQLException {
    model.addAttribute("form", form);
    model.addAttribute("selected", ids.size());
    model.addAttribute("maxEntries", BulkEdit.MAX_ENTRIES);
    model.addAttribute("colors", edits.colors(visit.merchantId(), ids, MAX_COLORS));
    return "bulk";
  }

  /** The selected products, or all that the filter finds. */
  private List<Integer> selected(ConsoleRequest visit, BulkForm form) throws SQLException {
    return form.all()
        ? products.ids(visit.merchantId(), form.view(visit.zoneId()).filter())
        : form.ids();
  }

  private @Nullable Integer source(ConsoleRequest visit, BulkForm form) throws SQLException {
    return form.source().isEmpty() ? null : products.idOf(visit.merchantId(), form.source());
  }

  /** What the list of jobs calls the edit. */
  private String name(ConsoleRequest visit, BulkForm form) {
    Object[] arguments = {form.value(), form.source()};
    return messages.getMessage(
        "bulk.name." + form.operation(), arguments, Locale.of(visit.language().tag()));
  }
}
