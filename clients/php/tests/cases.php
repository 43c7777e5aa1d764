<?php

// Runs ../cases.json; reads STOCKROOM_* and the address of the faulty server, FAULTS.
declare(strict_types=1);

use Stockroom\Signing;
use Stockroom\StockroomClient;
use Stockroom\StockroomException;

require __DIR__ . '/../autoload.php';

$cases = json_decode(file_get_contents(getenv('CASES')), true, flags: JSON_THROW_ON_ERROR);
$codes = json_decode(file_get_contents(getenv('CODES')), true, flags: JSON_THROW_ON_ERROR);
$faults = getenv('FAULTS');
$ran = $failed = 0;
$saved = [];

/** Whether $actual has everything of $expected; "*" stands for anything. */
function fits(mixed $expected, mixed $actual): bool
{
    if ($expected === '*') {
        return $actual !== null;
    }
    if (!is_array($expected)) {
        return $expected === $actual;
    }
    if (!is_array($actual) || (array_is_list($expected) && count($expected) !== count($actual))) {
        return false;
    }
    foreach ($expected as $name => $one) {
        if (!fits($one, $actual[$name] ?? null)) {
            return false;
        }
    }
    return true;
}

function check(string $name, mixed $expected, mixed $actual): void
{
    global $ran, $failed;
    $ran++;
    if (!fits($expected, $actual)) {
        $failed++;
        echo "FAILED $name\n  expected ", json_encode($expected), "\n  found    ", json_encode($actual), "\n";
    }
}

function resolve(mixed $value): mixed
{
    global $saved;
    if (is_string($value) && str_starts_with($value, '$')) {
        return array_reduce(explode('.', substr($value, 1)), static fn (mixed $at, string $name): mixed => $at[$name], $saved);
    }
    return is_array($value) ? array_map(resolve(...), $value) : $value;
}

/** @param list<float> $waits */
function run(array $case, array $settings, array &$waits = []): array
{
    $clock = $settings['clock'] ?? 0;
    unset($settings['clock']);
    $settings += [
        'address' => getenv('STOCKROOM_SERVER'),
        'appid' => getenv('STOCKROOM_APPID'),
        'secret' => getenv('STOCKROOM_SECRET'),
        'accesstoken' => getenv('STOCKROOM_TOKEN'),
    ];
    try {
        $client = new StockroomClient(
            ...$settings,
            now: static fn (): float => microtime(true) + $clock,
            sleep: static function (float $seconds) use (&$waits): void {
                $waits[] = $seconds;
            },
        );
        [$name, $group] = array_reverse(explode('.', $case['call'])) + [1 => null];
        $target = $group === null ? $client : $client->$group;
        $options = isset($case['key']) ? ['idempotencyKey' => $case['key']] : [];
        $result = $target->$name(...($case['arguments'] ?? []), ...$options);
        if ($result instanceof Generator) {
            $result = isset($case['first']) ? $result->current() : iterator_to_array($result, false);
        }
        return ['result' => $result];
    } catch (StockroomException $error) {
        return [
            'error' => [
                'type' => preg_replace('/^.*\\\\|Exception$/', '', $error::class),
                'code' => $error->errorCode,
                'status' => $error->status,
                'requestId' => $error->requestId,
                'problems' => array_map(get_object_vars(...), $error->problems),
                'temporary' => $error->temporary,
                'retryAfter' => $error->retryAfter,
            ],
            'message' => $error->getMessage(),
            'fix' => $error->fix,
        ];
    }
}

foreach ($cases['md5'] as $one) {
    check('md5', $one['sign'], Signing::sign($one['secret'], $one['timestamp']));
}
foreach ($cases['hmac'] as $one) {
    check('hmac', $one['sign'], Signing::signHmac(...$one['arguments']));
}
$hook = $cases['webhooks'];
foreach ($hook['cases'] as $one) {
    $headers = [
        'Webhook-Id' => $hook['id'],
        'Webhook-Timestamp' => (string) $hook['now'],
        'Webhook-Signature' => ($one['before'] ?? '') . $hook['signature'],
    ];
    $headers = array_filter($headers, static fn (string $name): bool => strtolower($name) !== ($one['without'] ?? ''), ARRAY_FILTER_USE_KEY);
    $secrets = array_map(
        static fn (string $secret): string => $secret === '$secret' ? $hook['secret'] : $secret,
        $one['secrets'] ?? ['$secret'],
    );
    try {
        $message = Signing::verifyWebhook($headers, $one['body'] ?? $hook['body'], $secrets, now: $hook['now'] + ($one['age'] ?? 0));
        $outcome = ['reason' => null, 'id' => $message['id']];
    } catch (Stockroom\WebhookVerificationException $error) {
        $outcome = ['reason' => $error->reason, 'id' => $hook['id']];
    }
    check("webhook: $one[name]", ['reason' => $one['reason'] ?? null, 'id' => $hook['id']], $outcome);
}
foreach ($cases['addresses'] as $one) {
    $outcome = run(['call' => 'digest'], ['address' => $one['address']]);
    check("address $one[address]", ['InvalidRequest', true], [$outcome['error']['type'], str_contains($outcome['message'], $one['says'])]);
}
foreach ($cases['invalid'] as $one) {
    $outcome = run($one, ['address' => $faults, 'language' => $one['language'] ?? 'en']);
    $expected = ['type' => 'InvalidRequest', 'status' => null, 'code' => $one['problems'][0]['code'], 'problems' => $one['problems']];
    check('invalid ' . json_encode($one['arguments']), $expected, $outcome['error'] ?? null);
}
foreach ($cases['replies'] as $index => $one) {
    $waits = [];
    $outcome = run($one, ($one['settings'] ?? []) + ['address' => "$faults/$index"], $waits);
    check($one['name'], ['result' => $one['result'] ?? null, 'error' => $one['error'] ?? null], $outcome);
    if (isset($one['error'])) {
        check("$one[name]: what to do", true, ($outcome['fix'] ?? '') !== '');
    }
    if (isset($one['says'])) {
        check("$one[name]: message", true, str_contains($outcome['message'] ?? '', $one['says']) ?: $outcome['message']);
    }
    if (isset($one['waits'])) {
        $near = count($waits) === count($one['waits']);
        foreach ($waits as $i => $wait) {
            $near = $near && $wait >= $one['waits'][$i] && $wait <= $one['waits'][$i] + 0.6;
        }
        check("$one[name]: waits", true, $near ?: $waits);
    }
}
foreach ($codes as $one) {
    $outcome = run(['call' => 'detail', 'arguments' => [1]], ['address' => "$faults/codes/$one[code]"]);
    check("code $one[code]", $one, $outcome['error'] ?? null);
    check("code $one[code]: what to do", true, !in_array($outcome['fix'] ?? null, [null, 'See the message.'], true));
}
foreach ($cases['scenario'] as $one) {
    $outcome = run(resolve($one), $one['settings'] ?? []);
    if (isset($one['save'])) {
        $saved[$one['save']] = $outcome['result'] ?? null;
    }
    check("scenario $one[call]", resolve(['result' => $one['result'] ?? null, 'error' => $one['error'] ?? null]), $outcome);
}
check('environment', [], StockroomClient::fromEnvironment()->stock($saved['products'][1]['id']));
$detail = StockroomClient::fromEnvironment()->detail($saved['products'][0]['id']);
check('exact price', '59.00', $detail['price']);
echo "$ran checks, $failed failed\n";
exit($failed === 0 ? 0 : 1);
