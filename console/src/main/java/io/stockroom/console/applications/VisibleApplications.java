package io.stockroom.console.applications;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.access.Applications;
import java.sql.SQLException;
import java.util.List;

/**
 * Decides which applications a person sees: an operator sees all, other people see those with a
 * token for their merchant. Any other application is reported as missing.
 */
public final class VisibleApplications {
  private final Applications applications;
  private final ApplicationOverview overview;

  public VisibleApplications(Applications applications, ApplicationOverview overview) {
    this.applications = applications;
    this.overview = overview;
  }

  public List<ApplicationOverview.Row> to(ConsoleRequest visit) throws SQLException {
    return visit.person().is(Role.OPERATOR) ? overview.all() : overview.of(visit.merchantId());
  }

  /** The application; throws "not found" if this person may not see it. */
  public Applications.Application find(ConsoleRequest visit, String appid) throws SQLException {
    Applications.Application application = applications.find(appid);
    boolean seen =
        application != null
            && (visit.person().is(Role.OPERATOR) || overview.of(visit.merchantId(), appid) != null);
    if (application == null || !seen) {
      throw PageException.missing();
    }
    return application;
  }
}
