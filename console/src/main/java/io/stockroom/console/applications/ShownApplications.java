package io.stockroom.console.applications;

import io.stockroom.console.people.Role;
import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.Refusal;
import io.stockroom.core.access.ApplicationOverview;
import io.stockroom.core.access.Applications;
import java.sql.SQLException;
import java.util.List;

/**
 * Which applications a person sees: an operator all of them, a merchant's people those with a token
 * for their merchant. Any other looks like one that does not exist.
 */
public final class ShownApplications {
  private final Applications applications;
  private final ApplicationOverview overview;

  public ShownApplications(Applications applications, ApplicationOverview overview) {
    this.applications = applications;
    this.overview = overview;
  }

  public List<ApplicationOverview.Row> to(ConsoleRequest visit) throws SQLException {
    return visit.person().is(Role.OPERATOR) ? overview.all() : overview.of(visit.merchantId());
  }

  /** The application, where this person may see it. */
  public Applications.Application find(ConsoleRequest visit, String appid) throws SQLException {
    Applications.Application application = applications.find(appid);
    boolean seen =
        application != null
            && (visit.person().is(Role.OPERATOR) || overview.of(visit.merchantId(), appid) != null);
    if (application == null || !seen) {
      throw Refusal.missing();
    }
    return application;
  }
}
