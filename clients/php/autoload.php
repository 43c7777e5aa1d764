<?php

declare(strict_types=1);

// For programs without Composer: require '/path/to/clients/php/autoload.php';
require_once __DIR__ . '/src/errors.php';
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . substr($class, strlen('Stockroom\\')) . '.php';
    if (str_starts_with($class, 'Stockroom\\') && is_file($file)) {
        require $file;
    }
});
