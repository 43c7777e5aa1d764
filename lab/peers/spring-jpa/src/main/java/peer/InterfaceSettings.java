package peer;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("interface")
public record InterfaceSettings(
    int pageSize,
    Duration timestampWindow,
    Duration createInterval,
    int detailPerDay,
    int storeProducts) {}
