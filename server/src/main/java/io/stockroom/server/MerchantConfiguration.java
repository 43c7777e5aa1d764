package io.stockroom.server;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MerchantDirectory;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.webhooks.Webhooks;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires merchants and their limits; a part of {@link ServerConfiguration}. */
@Configuration(proxyBeanMethods = false)
class MerchantConfiguration {
  @Bean
  Merchants merchants(Cells cells, Audit audit) {
    return new Merchants(cells, audit);
  }

  @Bean
  MerchantLifecycle merchantLifecycle(Cells cells, Audit audit, Webhooks webhooks) {
    return new MerchantLifecycle(cells.directory(), audit, webhooks);
  }

  @Bean
  DefaultLimits defaultLimits(Cells cells, Audit audit, Settings settings) {
    return new DefaultLimits(cells.directory(), audit, settings);
  }

  @Bean
  MerchantDirectory merchantDirectory(Cells cells) {
    return new MerchantDirectory(cells);
  }
}
