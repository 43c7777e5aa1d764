package io.stockroom.server.console.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.server.admin.Merchants;
import io.stockroom.server.call.Problems;
import io.stockroom.server.console.imports.ImportProgress.Seen;
import io.stockroom.server.console.visit.Allow;
import io.stockroom.server.console.visit.Refusal;
import io.stockroom.server.console.visit.Transfer;
import io.stockroom.server.console.visit.Visit;
import io.stockroom.server.imports.ImportJob;
import io.stockroom.server.imports.ImportJob.State;
import io.stockroom.server.imports.ImportOptions;
import io.stockroom.server.imports.Imports;
import io.stockroom.server.people.Role;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** One import on its way: what was found in the file, what it would change, how far it is. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class ImportPages {
  private static final int MOST_COLUMNS = 1000;

  /** Sizes that a column can be said to hold; whatever else stands in the header is offered too. */
  private static final List<String> SIZES =
      IntStream.rangeClosed(34, 46).mapToObj(Integer::toString).toList();

  private final Imports imports;
  private final Merchants merchants;
  private final Clock clock;

  public ImportPages(Imports imports, Merchants merchants, Clock clock) {
    this.imports = imports;
    this.merchants = merchants;
    this.clock = clock;
  }

  /**
   * The page, or for a script the piece that moves.
   *
   * @param phase with {@code from}, {@code since} and {@code said}: what the page has seen before
   */
  @GetMapping("/imports/{merchant}/{id}")
  String show(
      @RequestAttribute Visit visit,
      @PathVariable int merchant,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String phase,
      @RequestParam(defaultValue = "0") long from,
      @RequestParam(defaultValue = "0") long since,
      @RequestParam(defaultValue = "") String said,
      HttpServletResponse response,
      Model model)
      throws SQLException {
    response.setHeader("Vary", "HX-Request");
    return page(visit, find(visit, merchant, id), new Seen(phase, from, since, said), null, model);
  }

  /** Reads the file anew, by what the person says of its columns. */
  @PostMapping("/imports/{merchant}/{id}/plan")
  String plan(
      @RequestAttribute Visit visit,
      @PathVariable int merchant,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String encoding,
      @RequestParam(defaultValue = "") String delimiter,
      HttpServletRequest request,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    Problems problems = new Problems();
    ImportOptions options =
        ImportOptions.of(encoding, delimiter, columns(request, job), visit.language(), problems);
    if (!problems.any() && !(job.state().plannable() && imports.plan(job, options))) {
      problems.add(late(job, "planned, refused, failed"));
    }
    return answer(visit, job, problems, model);
  }

  @PostMapping("/imports/{merchant}/{id}/apply")
  String apply(
      @RequestAttribute Visit visit,
      @PathVariable int merchant,
      @PathVariable int id,
      @RequestParam(defaultValue = "false") boolean skipBad,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    Problems problems = new Problems();
    if (job.state() != State.PLANNED || !imports.apply(job, skipBad)) {
      problems.add(late(job, State.PLANNED.word()));
    }
    return answer(visit, job, problems, model);
  }

  @PostMapping("/imports/{merchant}/{id}/cancel")
  String cancel(
      @RequestAttribute Visit visit, @PathVariable int merchant, @PathVariable int id, Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    Problems problems = new Problems();
    if (!imports.cancel(job.merchantId(), job.importId())) {
      problems.add(late(job, "waiting, planning, planned, applying, refused, failed"));
    }
    return answer(visit, job, problems, model);
  }

  /** The rows that could not be taken, with the reason for each. */
  @Transfer
  @GetMapping("/imports/{merchant}/{id}/rejected")
  void rejected(
      @RequestAttribute Visit visit,
      @PathVariable int merchant,
      @PathVariable int id,
      HttpServletResponse response)
      throws SQLException, IOException {
    ImportJob job = find(visit, merchant, id);
    if (!job.rejected()) {
      throw Refusal.missing();
    }
    Download.send(response, imports.rejected(job), visit);
  }

  private ImportJob find(Visit visit, int merchant, int id) throws SQLException {
    ImportJob job = imports.find(Whose.one(visit, merchant), id);
    if (job == null) {
      throw Refusal.missing();
    }
    return job;
  }

  /** A script gets the piece as it is now; without one, the page is asked for again. */
  private String answer(Visit visit, ImportJob job, Problems problems, Model model)
      throws SQLException {
    if (!visit.isPiece() && !problems.any()) {
      return "redirect:/console/imports/" + job.merchantId() + "/" + job.importId();
    }
    String problem =
        problems.any()
            ? Problem.sentences(problems.refused().problems(), problems.total(), visit.language())
            : null;
    return page(visit, find(visit, job.merchantId(), job.importId()), Seen.NOTHING, problem, model);
  }

  private String page(Visit visit, ImportJob job, Seen seen, @Nullable String problem, Model model)
      throws SQLException {
    model.addAttribute("view", new ImportView(job, visit.language()));
    model.addAttribute("job", job);
    model.addAttribute("progress", ImportProgress.of(job, seen, clock.millis()));
    model.addAttribute("problem", problem);
    model.addAttribute("fields", Imports.fields());
    model.addAttribute("sizes", SIZES);
    if (visit.isPiece()) {
      return "import :: job";
    }
    model.addAttribute("merchant", merchants.find(job.merchantId()));
    return "import";
  }

  /** Somebody else, or the same person in another tab, was quicker. */
  private static Problem late(ImportJob job, String needed) {
    return job.fileKept()
        ? Problem.of("", ErrorCode.IMPORT_STATE, job.importId(), job.state().word(), needed)
        : Problem.of("", ErrorCode.IMPORT_FILE_GONE, job.importId());
  }

  /** What was said before, and what is said otherwise now; what is left alone is not remembered. */
  private static Map<String, String> columns(HttpServletRequest request, ImportJob job) {
    Map<String, String> columns = new LinkedHashMap<>(job.options().columns());
    for (int i = 0; i < MOST_COLUMNS; i++) {
      String name = request.getParameter("name-" + i);
      String field = request.getParameter("field-" + i);
      if (name == null) {
        break;
      }
      if (field != null && !field.equals(request.getParameter("was-" + i))) {
        columns.put(name, field.isEmpty() ? "-" : field);
      }
    }
    return columns;
  }
}
