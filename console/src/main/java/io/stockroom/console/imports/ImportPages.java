package io.stockroom.console.imports;

import io.stockroom.console.imports.ImportProgress.Seen;
import io.stockroom.console.people.Role;
import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.LimitedAs;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.admission.CallKind;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
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

/** The page of one import: its file, its plan and its progress. */
@Controller
@Allow({Role.OPERATOR, Role.MERCHANT})
public final class ImportPages {
  private static final int MAX_COLUMNS = 1000;

  /** Sizes that the page offers for a column, besides those in the header. */
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
   * The page, or for htmx only the part that changes.
   *
   * @param phase with {@code from}, {@code since} and {@code said}: what the page has shown before
   */
  @GetMapping("/imports/{merchant}/{id}")
  String show(
      @RequestAttribute ConsoleRequest visit,
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

  /** Plans the file again with the columns that the person chose. */
  @PostMapping("/imports/{merchant}/{id}/plan")
  String plan(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int merchant,
      @PathVariable int id,
      @RequestParam(defaultValue = "") String encoding,
      @RequestParam(defaultValue = "") String delimiter,
      @RequestParam(defaultValue = "false") boolean headerless,
      HttpServletRequest request,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    // with or without a header, the columns have other names
    Map<String, String> columns =
        headerless == job.options().headerless() ? columns(request, job) : Map.of();
    List<Problem> problems = new ArrayList<>();
    problems.addAll(ImportOptions.problems(encoding, delimiter, columns));
    Problems unfit = new Problems();
    Choices choices = Choices.of(ImportReader.choices(request::getParameter, unfit));
    problems.addAll(unfit.list());
    if (!problems.isEmpty()) {
      return answer(visit, job, problems, model);
    }
    ImportOptions options =
        ImportOptions.of(encoding, delimiter, columns, visit.language())
            .with(choices)
            .withoutHeader(headerless);
    boolean planned = job.state().plannable() && imports.plan(job, options);
    return answer(visit, job, planned, "planned, refused, failed", model);
  }

  @PostMapping("/imports/{merchant}/{id}/apply")
  String apply(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int merchant,
      @PathVariable int id,
      @RequestParam(defaultValue = "false") boolean skipBad,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    boolean applied = job.state() == State.PLANNED && imports.apply(job, skipBad);
    return answer(visit, job, applied, State.PLANNED.word(), model);
  }

  @PostMapping("/imports/{merchant}/{id}/cancel")
  String cancel(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int merchant,
      @PathVariable int id,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    boolean cancelled = imports.cancel(job.merchantId(), job.importId());
    return answer(
        visit, job, cancelled, "waiting, planning, planned, applying, refused, failed", model);
  }

  /** Starts a job that writes back what this one changed, and shows it. */
  @PostMapping("/imports/{merchant}/{id}/undo")
  String undo(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int merchant,
      @PathVariable int id,
      Model model)
      throws SQLException {
    ImportJob job = find(visit, merchant, id);
    try {
      return answer(visit, imports.undo(job, visit.language(), visit.actor()), List.of(), model);
    } catch (JobRejection rejection) {
      return answer(visit, job, List.of(rejection.problem()), model);
    }
  }

  /** Downloads the rejected rows with their reasons. */
  @LimitedAs(CallKind.DOWNLOAD)
  @GetMapping("/imports/{merchant}/{id}/rejected")
  void rejected(
      @RequestAttribute ConsoleRequest visit,
      @PathVariable int merchant,
      @PathVariable int id,
      HttpServletRequest request,
      HttpServletResponse response)
      throws SQLException, IOException {
    ImportJob job = find(visit, merchant, id);
    if (!job.rejected()) {
      throw PageException.missing();
    }
    Download.send(request, response, imports.rejected(job), visit);
  }

  private ImportJob find(ConsoleRequest visit, int merchant, int id) throws SQLException {
    ImportJob job = imports.find(MerchantScope.one(visit, merchant), id);
    if (job == null) {
      throw PageException.missing();
    }
    return job;
  }

  private String answer(
      ConsoleRequest visit, ImportJob job, boolean done, String neededStates, Model model)
      throws SQLException {
    List<Problem> problems = done ? List.of() : List.of(late(job, neededStates));
    return answer(visit, job, problems, model);
  }

  /** Returns the changed part for htmx; redirects to the page without a script. */
  private String answer(ConsoleRequest visit, ImportJob job, List<Problem> problems, Model model)
      throws SQLException {
    if (!visit.isPiece() && problems.isEmpty()) {
      return "redirect:/console/imports/" + job.merchantId() + "/" + job.importId();
    }
    String problem =
        problems.isEmpty() ? null : Problem.sentences(problems, problems.size(), visit.language());
    return page(visit, find(visit, job.merchantId(), job.importId()), Seen.NOTHING, problem, model);
  }

  private String page(
      ConsoleRequest visit, ImportJob job, Seen seen, @Nullable String problem, Model model)
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

  /** Another person, or another tab, has changed the state in the meantime. */
  private static Problem late(ImportJob job, String needed) {
    return job.fileKept()
        ? Problem.of("", ErrorCode.IMPORT_STATE, job.importId(), job.state().word(), needed)
        : Problem.of("", ErrorCode.IMPORT_FILE_GONE, job.importId());
  }

  /** The earlier mapping plus the columns that the person changed now. */
  private static Map<String, String> columns(HttpServletRequest request, ImportJob job) {
    Map<String, String> columns = new LinkedHashMap<>(job.options().columns());
    for (int i = 0; i < MAX_COLUMNS; i++) {
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
