<?php

declare(strict_types=1);

namespace Stockroom;

/** Signs requests and verifies webhook deliveries. */
final class Signing
{
    /** The signature of the interface: MD5 of secret and timestamp, in upper case. */
    public static function sign(string $secret, string $timestamp): string
    {
        return strtoupper(md5($secret . $timestamp));
    }

    /** The stronger signature, which covers the whole request; $path as sent, with its query string. */
    public static function signHmac(
        string $secret,
        string $method,
        string $path,
        string $timestamp,
        string $token,
        string $body,
        string $nonce = '',
        string $key = '',
    ): string {
        $lines = [$method, $path, $timestamp, $token, hash('sha256', $body), ...($key !== '' ? [$nonce, $key] : ($nonce !== '' ? [$nonce] : []))];
        return strtoupper(hash_hmac('sha256', implode("\n", $lines), $secret));
    }

    /** A random UUID, for nonces and idempotency keys. */
    public static function randomKey(): string
    {
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
    }

    /**
     * Verifies and reads a delivery, which follows the Standard Webhooks specification.
     *
     * @param array<string, string> $headers of the request, such as getallheaders()
     * @param string $body exactly as received: file_get_contents('php://input')
     * @param string|list<string> $secrets as webhooks->create returned them; both during a rotation
     * @return array{id: string, type: string, timestamp: string, data: array<string, mixed>}
     */
    public static function verifyWebhook(
        array $headers,
        string $body,
        string|array $secrets,
        int $tolerance = 300,
        ?int $now = null,
    ): array {
        $found = array_map('trim', array_change_key_case($headers));
        $keys = array_map(self::key(...), (array) $secrets);
        if ($keys === []) {
            throw new \InvalidArgumentException('At least one webhook secret is required.');
        }
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (($found[$name] ?? '') === '') {
                throw new WebhookVerificationException('HEADER_MISSING', "The header $name is missing.");
            }
        }
        ['webhook-id' => $id, 'webhook-timestamp' => $timestamp] = $found;
        if (preg_match('/^\d{1,11}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException(
                'TIMESTAMP_FORMAT',
                'The header webhook-timestamp is not a number of seconds.',
            );
        }
        $age = ($now ?? time()) - (int) $timestamp;
        if ($age > $tolerance) {
            $words = "The delivery is $age seconds old; at most $tolerance are allowed.";
            throw new WebhookVerificationException('TIMESTAMP_TOO_OLD', $words);
        }
        if (-$age > $tolerance) {
            $ahead = -$age;
            $words = "The delivery is $ahead seconds in the future; at most $tolerance are allowed. Check the clocks.";
            throw new WebhookVerificationException('TIMESTAMP_TOO_NEW', $words);
        }
        $authentic = false;
        foreach (explode(' ', $found['webhook-signature']) as $part) {
            $signature = str_starts_with($part, 'v1,') ? base64_decode(substr($part, 3), true) : false;
            foreach ($keys as $key) {
                $expected = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
                $authentic = ($signature !== false && hash_equals($expected, $signature)) || $authentic;
            }
        }
        if (!$authentic) {
            throw new WebhookVerificationException(
                'SIGNATURE_WRONG',
                'No signature of version v1 fits. Check the secret, and pass the body as received.',
            );
        }
        $message = json_decode($body, true);
        if (!is_string($message['type'] ?? null)) {
            throw new WebhookVerificationException('BODY_FORMAT', 'The delivery is signed, but not a message.');
        }
        return [
            'id' => $id,
            'type' => $message['type'],
            'timestamp' => $message['timestamp'] ?? '',
            'data' => $message['data'] ?? [],
        ];
    }

    private static function key(string $secret): string
    {
        $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret, true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException(
                'A webhook secret is "whsec_" and Base64, as /Webhook/Create returned it.',
            );
        }
        return $key;
    }
}
