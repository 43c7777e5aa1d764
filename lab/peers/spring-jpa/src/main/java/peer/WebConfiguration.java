package peer;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration
public class WebConfiguration implements WebMvcConfigurer {
  private final AuthenticationInterceptor authentication;

  public WebConfiguration(AuthenticationInterceptor authentication) {
    this.authentication = authentication;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(authentication);
  }

  /** Apart from the configuration, which needs it. */
  @Configuration
  static class Time {
    @Bean
    Clock clock() {
      return Clock.systemUTC();
    }
  }
}
