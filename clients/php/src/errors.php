<?php

declare(strict_types=1);

namespace Stockroom;

/** One problem of a request: where it is, its code, and the server's message. */
final class Problem
{
    /** @param ?int $current the current quantity, for a rejected adjustment */
    public function __construct(
        public readonly string $at,
        public readonly string $code,
        public readonly string $msg,
        public readonly ?int $current = null,
    ) {
    }
}

/** A call that failed. The subclass tells what a program can do about it. */
class StockroomException extends \RuntimeException
{
    /** What to do, in a sentence. */
    public readonly string $fix;

    /**
     * @param ?string $errorCode such as CREDENTIALS_WRONG
     * @param list<Problem> $problems
     * @param ?int $retryAfter seconds to wait before the next attempt
     * @param bool $temporary whether the same call may succeed later, without a change of the request
     */
    public function __construct(
        string $words,
        public readonly ?string $errorCode = null,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly array $problems = [],
        public readonly ?int $retryAfter = null,
        public readonly bool $temporary = false,
        string $fix = 'See the message.',
    ) {
        $facts = array_filter(["status $status", $errorCode, $requestId === null ? null : "request $requestId"]);
        parent::__construct($status === null ? $words : "$words [" . implode(', ', $facts) . ']');
        $this->fix = Codes::CODES[$errorCode ?? ''][1] ?? $fix;
    }

    private const BY_STATUS = [
        200 => 'Rejected', 400 => 'InvalidRequest', 401 => 'Authentication', 403 => 'Authentication',
        404 => 'InvalidRequest', 405 => 'InvalidRequest', 409 => 'InvalidRequest', 413 => 'InvalidRequest',
        429 => 'RateLimited', 500 => 'Server', 503 => 'Unavailable',
    ];

    /**
     * The error of a code, or of a status if the code is unknown.
     *
     * @param list<Problem> $problems
     */
    public static function of(
        string $words,
        ?string $code,
        int $status,
        ?string $requestId,
        ?int $retryAfter,
        array $problems = [],
    ): self {
        $kind = Codes::CODES[$code ?? ''][0] ?? self::BY_STATUS[$status] ?? 'UnexpectedAnswer';
        $class = __NAMESPACE__ . '\\' . $kind . 'Exception';
        $temporary = in_array($kind, ['RateLimited', 'Unavailable', 'Server'], true);
        return new $class($words, $code, $status, $requestId, $problems, $retryAfter, $temporary);
    }
}

/** An invalid value, found before sending (no status) or by the server. See problems. */
final class InvalidRequestException extends StockroomException
{
}

/** Wrong or expired credentials, a missing scope, a forbidden address, a wrong clock. */
final class AuthenticationException extends StockroomException
{
}

/** No such product of this merchant. */
final class NotFoundException extends StockroomException
{
}

/** The changes after the cursor are no longer kept: take a snapshot. */
final class CursorExpiredException extends StockroomException
{
}

/** Valid, but not possible now, such as an adjustment below zero. See problems. */
final class RejectedException extends StockroomException
{
}

/** A limit of product detail is reached. */
final class LimitReachedException extends StockroomException
{
}

/** The rate limit is exceeded (429) and waiting took too long. */
final class RateLimitedException extends StockroomException
{
}

/** The server or a proxy is unavailable (503), after all retries. */
final class UnavailableException extends StockroomException
{
}

/** An internal error of the server (500). Tell the operator the request id. */
final class ServerException extends StockroomException
{
}

/** An answer that is not Stockroom's: a proxy's page, or a truncated or empty response. */
final class UnexpectedAnswerException extends StockroomException
{
}

/** Not reachable, connection lost or timeout, after all safe retries. */
final class NoAnswerException extends StockroomException
{
    /** @param bool $unsent whether there was no connection, so that the server cannot have done anything */
    public function __construct(string $words, public readonly bool $unsent)
    {
        $fix = $unsent
            ? 'Check the address and the network, and whether the server is running.'
            : 'Send it again if that is safe: it is unknown whether the server did the work.';
        parent::__construct($words, temporary: true, fix: $fix);
    }
}

/** A request that is not a delivery of the server. Answer it with status 400. */
final class WebhookVerificationException extends \RuntimeException
{
    /**
     * @param string $reason HEADER_MISSING, TIMESTAMP_FORMAT, TIMESTAMP_TOO_OLD, TIMESTAMP_TOO_NEW,
     *     SIGNATURE_WRONG or BODY_FORMAT
     */
    public function __construct(public readonly string $reason, string $words)
    {
        parent::__construct($words);
    }
}
