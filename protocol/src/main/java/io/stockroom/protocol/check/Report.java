package io.stockroom.protocol.check;

import java.util.List;

/**
 * What came of a check.
 *
 * @param findings what is wrong or worth knowing, the likeliest cause of a refusal first
 * @param unchecked what could not be checked
 */
public record Report(List<Finding> findings, List<Unchecked> unchecked) {
  public Report {
    findings = List.copyOf(findings);
    unchecked = List.copyOf(unchecked);
  }

  /** What a server would refuse. */
  public List<Finding> mistakes() {
    return findings.stream().filter(finding -> !finding.mistake().isHarmless()).toList();
  }

  /** What a server takes, though it is not as documented. */
  public List<Finding> remarks() {
    return findings.stream().filter(finding -> finding.mistake().isHarmless()).toList();
  }
}
