package peer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.cache.annotation.EnableCaching;

/** The four calls of the interface, as an ordinary Spring Boot application with JPA. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableCaching
public class PeerApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PeerApplication.class, arguments);
  }
}
