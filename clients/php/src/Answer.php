<?php

declare(strict_types=1);

namespace Stockroom;

/** A response of the server, in the form of the interface. */
final class Answer
{
    /**
     * @param array<string, string> $headers with names in lower case
     * @param array<string, mixed> $fields
     */
    private function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly array $fields,
    ) {
    }

    /**
     * Reads an answer, or says what it is instead.
     *
     * @param array<string, string> $headers
     */
    public static function parse(string $url, int $status, array $headers, string $body, bool $whole): self
    {
        $lost = !$whole || $body === '';
        $what = !$whole ? 'it is truncated' : ($body === '' ? 'it is empty' : 'it is not JSON');
        if (!$lost) {
            // a float would not keep a price exact
            $exact = preg_replace('/("price":\s*)(-?\d+\.\d+)/', '$1"$2"', $body) ?? $body;
            $fields = json_decode($exact, true);
            if (is_array($fields) && is_bool($fields['success'] ?? null)) {
                return new self($status, $headers, $fields);
            }
            $what = $fields === null ? $what : 'it has no field success';
        }
        // a body that is not UTF-8 is shown without its other characters
        $text = preg_match('/^[\s\S]{0,200}/u', $body, $beginning) === 1
            ? preg_replace('/[\p{Cc}\p{Cf}]/u', ' ', $beginning[0])
            : preg_replace('/[^ -~]/', ' ', substr($body, 0, 200));
        $type = $headers['content-type'] ?? '';
        $words = "The answer of $url is not one of Stockroom's: $what. It has the status $status, "
            . ($type === '' ? 'no content type' : "the content type $type") . ' and '
            . (trim($text) === '' ? 'no content.' : 'begins with: ' . trim($text) . '.');
        $origin = (new self($status, $headers, []))->origin();
        $origin[0] = null;
        if ($status === 429 || $status === 503) {
            throw StockroomException::of($words, ...$origin);
        }
        throw new UnexpectedAnswerException(
            $words,
            null,
            $status,
            $origin[2],
            temporary: $status === 502 || $status === 504 || ($lost && !($status >= 300 && $status < 500)),
            fix: 'Check the address: a proxy or another server answered, or the connection was cut.',
        );
    }

    public function code(): ?string
    {
        return ($this->fields['success'] ?? false) === true
            ? null : $this->fields['errors'][0]['code'] ?? $this->headers['x-error-code'] ?? null;
    }

    /** @return list<Problem> */
    public function problems(): array
    {
        return array_map(
            static fn (array $one): Problem => new Problem($one['at'], $one['code'], $one['msg'], $one['current'] ?? null),
            $this->fields['errors'] ?? [],
        );
    }

    /** @return array{?string, int, ?string, ?int} code, status, request id and seconds to wait */
    public function origin(): array
    {
        $wait = $this->headers['retry-after'] ?? '';
        $seconds = preg_match('/^\d{1,9}$/D', $wait) === 1 ? (int) $wait : null;
        return [$this->code(), $this->status, $this->headers['x-request-id'] ?? null, $seconds];
    }

    public function failure(): StockroomException
    {
        $words = ($this->fields['msg'] ?? '') ?: 'The server rejected the request without a reason.';
        return StockroomException::of($words, ...$this->origin(), problems: $this->problems());
    }

    /** @return array<string, mixed> the fields of a success */
    public function success(): array
    {
        return $this->fields['success'] === true ? $this->fields : throw $this->failure();
    }
}
