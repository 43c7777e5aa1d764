<?php

declare(strict_types=1);

namespace Stockroom;

/** Calls a Stockroom server for one merchant. */
final class StockroomClient
{
    private const VERSION = '0.1.0';
    private const FORM = 'application/x-www-form-urlencoded';
    private const JSON = 'application/json';
    private const FILE = 'application/octet-stream';
    private const MAX_GROUPS = 300;
    private const MAX_ENTRIES = 10_000;
    private const UNSENT = [
        CURLE_COULDNT_RESOLVE_HOST => 'the host is unknown',
        CURLE_COULDNT_CONNECT => 'the connection was refused',
        CURLE_SSL_CACERT => 'its certificate is not trusted',
    ];

    public readonly Imports $imports;
    public readonly Webhooks $webhooks;
    private readonly string $address;
    private float $ahead = 0;

    /**
     * @param string $address the server's URL, such as https://stock.example
     * @param string $secret never sent
     * @param string $signature md5 or hmac-sha256, which signs the whole request
     * @param string $language of all messages: en or zh
     * @param int $timeout seconds for one attempt
     * @param int $retries attempts after the first, not counting those after a 429
     * @param int $maxWait seconds that one call may wait for rate limits, and the longest wait between two attempts
     * @param array<int, mixed> $curl further options of curl, such as CURLOPT_PROXY or CURLOPT_CAINFO
     * @param ?\Closure(): float $now the current time
     * @param ?\Closure(float): void $sleep
     */
    public function __construct(
        string $address,
        private readonly string $appid,
        #[\SensitiveParameter] private readonly string $secret,
        #[\SensitiveParameter] private readonly string $accesstoken,
        private readonly string $signature = 'md5',
        private readonly string $language = 'en',
        private readonly int $timeout = 30,
        private readonly int $retries = 4,
        private readonly int $maxWait = 60,
        private readonly array $curl = [],
        private readonly ?\Closure $now = null,
        private readonly ?\Closure $sleep = null,
    ) {
        $this->address = Checks::address($address);
        $this->check(function (Checks $checks) use ($appid, $secret, $accesstoken): void {
            $checks->header('appid', $appid);
            $checks->header('accesstoken', $accesstoken);
            if ($secret === '') {
                $checks->add('secret', 'TEXT_EMPTY');
            }
        });
        $this->webhooks = new Webhooks(fn (string $path, string $body, bool $read): Answer =>
            $this->ask($path, str_starts_with($body, '{') ? self::JSON : self::FORM, $body, $read));
        $this->imports = new Imports(function (string $path, string $body, bool $read, ?string $key): Answer {
            $this->check(static fn (): bool => true, $key);
            return $this->ask($path, $key === null ? self::FORM : self::FILE, $body, $read, $key);
        });
    }

    /** Reads STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN; $settings by parameter name. */
    public static function fromEnvironment(mixed ...$settings): self
    {
        $values = array_map(
            static fn (string $name): string => getenv($name) ?: throw new StockroomException(
                "The environment variable $name is not set.",
                fix: "Set $name.",
            ),
            ['STOCKROOM_SERVER', 'STOCKROOM_APPID', 'STOCKROOM_SECRET', 'STOCKROOM_TOKEN'],
        );
        return new self(...$values, ...$settings);
    }

    /** @return \Generator<int, array{id: int, artNo: string}> all products, or those with or without stock */
    public function products(?bool $stock = null): \Generator
    {
        return self::pages(fn (int $page): array => $this->productPage($page, $stock));
    }

    /** @return array{totalPages: int, data: list<array{id: int, artNo: string}>} */
    public function productPage(int $page, ?bool $stock = null): array
    {
        $this->check(fn (Checks $checks) => $checks->field('page', $page, 1));
        $flag = $stock === null ? null : ($stock ? 'true' : 'false');
        return self::pick($this->read('/Stock/Product', ['page' => $page, 'stock' => $flag]), 'totalPages', 'data');
    }

    /** @return list<array<string, mixed>> the entries of a product; empty if it has no stock yet */
    public function stock(int|string $pid): array
    {
        $this->check(fn (Checks $checks) => $checks->field('productid', $pid, 1));
        $answer = $this->ask('/Stock/List', self::FORM, http_build_query(['productid' => $pid]), true);
        return $answer->code() === 'STOCK_NOT_ADDED' ? [] : $answer->success()['data'];
    }

    /**
     * Creates entries or sets their quantities, in requests of at most 300 groups, within the rate limit. The server
     * writes each request completely or not at all.
     *
     * @param list<array<string, mixed>> $groups
     * @return int the number of groups
     */
    public function createStock(array $groups, ?string $idempotencyKey = null): int
    {
        $this->check(fn (Checks $checks) => $checks->create($groups), $idempotencyKey);
        $key = $idempotencyKey ?? Signing::randomKey();
        foreach (self::batches($groups) as $index => $batch) {
            $this->json('/Stock/Creat', $batch, $index === 0 ? $key : "$key.$index")->success();
        }
        return count($groups);
    }

    /**
     * Changes quantities of existing entries, all or none. A RejectedException lists what is not possible.
     *
     * @param list<array<string, mixed>> $adjustments
     * @return array{number: int, entries: list<array<string, mixed>>}
     */
    public function adjust(array $adjustments, ?string $idempotencyKey = null): array
    {
        $this->check(fn (Checks $checks) => $checks->adjust($adjustments), $idempotencyKey);
        return $this->allOrNone('/Stock/Adjust', $adjustments, $idempotencyKey, 'entries');
    }

    /**
     * Removes entries, colors or sizes, all or none: ['pid' => 1, 'color' => 'red'], also with 'size'.
     *
     * @param list<array<string, mixed>> $removals
     * @return array{number: int, entries: list<array<string, mixed>>}
     */
    public function removeStock(array $removals, ?string $idempotencyKey = null): array
    {
        return $this->allOrNone('/Stock/Remove', $removals, $idempotencyKey, 'entries');
    }

    /**
     * @param list<int> $pids
     * @return list<array<string, mixed>> the entries of up to 300 products; a missing product has a code instead
     */
    public function stockBatch(array $pids): array
    {
        return $this->read('/Stock/Batch', ['productid' => $pids])['products'];
    }

    /**
     * Products by artNo and barCode (lists), words and changedAfter (a cursor), page by page. Keep the cursor of the
     * first page: with changedAfter it finds later what has changed since.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, array{cursor: string, next: string, products: list<array<string, mixed>>}>
     */
    public function findProducts(array $query = []): \Generator
    {
        for ($after = null; $after !== ''; $after = $page['next']) {
            $page = self::pick($this->read('/Product/Find', $query + ['after' => $after]), 'cursor', 'next', 'products');
            yield $page;
        }
    }

    /**
     * Creates products and changes fields of existing ones, at most 100, all or none.
     *
     * @param list<array<string, mixed>> $products
     * @return array{number: ?int, products: list<array<string, mixed>>}
     */
    public function saveProducts(array $products, ?string $idempotencyKey = null): array
    {
        return $this->allOrNone('/Product/Save', $products, $idempotencyKey, 'products');
    }

    /**
     * Stores a JPEG, PNG, WebP or GIF, and adds it to a product. The client must sign with HMAC.
     *
     * @param array<string, int|string> $spot a product by pid or artNo, and its color or position; empty: only stored
     * @return array{number: ?int, address: string, sha256: string, width: int, height: int}
     */
    public function addPicture(string $content, array $spot = [], ?string $idempotencyKey = null): array
    {
        $this->check(static fn (): bool => true, $idempotencyKey);
        $path = '/Product/Picture' . ($spot === [] ? '' : '?' . http_build_query($spot));
        $answer = $this->ask($path, self::FILE, $content, true, $idempotencyKey ?? Signing::randomKey());
        return self::pick($answer->success(), 'number', 'address', 'sha256', 'width', 'height');
    }

    /**
     * Archives products, each ['pid' => 1] or ['artNo' => 'A1']; at most 100, all or none.
     *
     * @param list<array<string, mixed>> $products
     * @return array{number: ?int, products: list<array<string, mixed>>}
     */
    public function archiveProducts(array $products, ?string $idempotencyKey = null): array
    {
        return $this->allOrNone('/Product/Archive', $products, $idempotencyKey, 'products');
    }

    /**
     * Brings archived products back with their stock; at most 100, all or none.
     *
     * @param list<array<string, mixed>> $products
     * @return array{number: ?int, products: list<array<string, mixed>>}
     */
    public function restoreProducts(array $products, ?string $idempotencyKey = null): array
    {
        return $this->allOrNone('/Product/Restore', $products, $idempotencyKey, 'products');
    }

    /**
     * A RejectedException lists everything that is not possible.
     *
     * @param list<array<string, mixed>> $content
     * @return array<string, mixed>
     */
    private function allOrNone(string $path, array $content, ?string $key, string $name): array
    {
        $this->check(static fn (): bool => true, $key);
        $answer = $this->json($path, $content, $key ?? Signing::randomKey());
        if ($answer->fields['success'] === false && $answer->problems() !== []) {
            [$code, $status, $requestId] = $answer->origin();
            throw new RejectedException($answer->fields['msg'], $code, $status, $requestId, $answer->problems());
        }
        return self::pick($answer->success(), 'number', $name);
    }

    /** @return array<string, mixed> the data for listing a product, its price as a string such as "59.90"; each detail counts against the limits */
    public function detail(int|string $pid): array
    {
        $this->check(fn (Checks $checks) => $checks->field('pid', $pid, 1));
        return $this->ask('/Product/Detail', self::FORM, http_build_query(['pid' => $pid]), false)->success()['data'];
    }

    /**
     * Reports publish results; a product that does not exist is rejected alone.
     *
     * @param list<array<string, mixed>> $results
     * @return array{accepted: int, errors: list<array<string, mixed>>}
     */
    public function publish(array $results, ?string $idempotencyKey = null): array
    {
        $this->check(fn (Checks $checks) => $checks->publish($results), $idempotencyKey);
        $answer = $this->json('/Product/Publish', $results, $idempotencyKey ?? Signing::randomKey());
        $fields = isset($answer->fields['accepted']) ? $answer->fields : $answer->success();
        return ['accepted' => $fields['accepted'], 'errors' => $fields['errors'] ?? []];
    }

    /** @return array<string, mixed> every limit, and one page of the fetched products that are not published yet */
    public function usage(int $page = 1): array
    {
        $this->check(fn (Checks $checks) => $checks->field('page', $page, 1));
        return $this->read('/Usage', ['page' => $page])['data'];
    }

    /** @return \Generator<int, array<string, mixed>> */
    public function unpublished(): \Generator
    {
        return self::pages(fn (int $page): array => $this->usage($page)['unpublished']);
    }

    /**
     * The changes after a cursor; $wait holds the answer back for up to 25 seconds.
     *
     * @return array{cursor: string, more: bool, changes: list<array<string, mixed>>}
     */
    public function changes(string $after = '', int $limit = 200, int $wait = 0): array
    {
        $this->check(function (Checks $checks) use ($after, $limit, $wait): void {
            $checks->cursor($after);
            $checks->field('limit', $limit, 1, 1000);
            $checks->field('wait', $wait, 0, 25);
        });
        $fields = array_filter(['after' => $after, 'limit' => $limit, 'wait' => $wait]);
        $answer = $this->ask('/Changes', self::FORM, http_build_query($fields), true, wait: $wait);
        return self::pick($answer->success(), 'cursor', 'more', 'changes');
    }

    public function latestCursor(): string
    {
        return $this->changes('latest', 1)['cursor'];
    }

    /**
     * Follows the changes after a cursor without end, also through failures. Save the cursor of each page.
     *
     * @return \Generator<int, array{cursor: string, more: bool, changes: list<array<string, mixed>>}>
     */
    public function follow(string $after): \Generator
    {
        for ($failures = 0; true;) {
            try {
                $page = $this->changes($after, 1000, 25);
            } catch (StockroomException $failed) {
                if (!$failed->temporary) {
                    throw $failed;
                }
                $this->pause($failed->retryAfter ?? self::backoff($failures++));
                continue;
            }
            $failures = 0;
            $after = $page['cursor'];
            if ($page['changes'] !== []) {
                yield $page;
            }
        }
    }

    /**
     * The whole stock, page by page. Continue with follow() from the cursor of the first page.
     *
     * @return \Generator<int, array{cursor: string, next: string, products: list<array<string, mixed>>}>
     */
    public function snapshot(int $limit = 500): \Generator
    {
        $this->check(fn (Checks $checks) => $checks->field('limit', $limit, 1, 500));
        for ($after = null; $after !== ''; $after = $page['next']) {
            $page = self::pick($this->read('/Stock/Snapshot', ['after' => $after, 'limit' => $limit]), 'cursor', 'next', 'products');
            yield $page;
        }
    }

    /** @return array<string, mixed> digests of the stock, to compare a copy with it */
    public function digest(): array
    {
        return self::pick($this->read('/Stock/Digest', []), 'cursor', 'products', 'entries', 'digest', 'blocks');
    }

    /** @param callable(Checks): mixed $content */
    private function check(callable $content, ?string $key = null): void
    {
        $checks = new Checks($this->language);
        $content($checks);
        if ($key !== null) {
            $checks->key($key);
        }
        $checks->done();
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private function read(string $path, array $fields): array
    {
        // a list is a field that occurs several times
        $form = preg_replace('/%5B\d+%5D=/', '=', http_build_query($fields));
        return $this->ask($path, self::FORM, $form, true)->success();
    }

    /** @param list<mixed> $content */
    private function json(string $path, array $content, string $key): Answer
    {
        $body = json_encode($content, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION);
        return $this->ask($path, self::JSON, $body, true, $key);
    }

    /** Sends a call until it is answered, and repeats it only where that is safe. Signs each attempt anew. */
    private function ask(string $path, string $type, string $body, bool $repeatable, ?string $key = null, int $wait = 0): Answer
    {
        $used = $limited = 0;
        $patience = $this->maxWait;
        $corrected = false;
        while (true) {
            try {
                $answer = $this->send($path, $type, $body, $key, $wait);
                if ($answer->status === 200) {
                    return $answer;
                }
                $date = strtotime($answer->headers['date'] ?? '');
                if ($answer->code() === 'TIMESTAMP_WINDOW' && !$corrected && $date !== false) {
                    $corrected = true;
                    $this->ahead = $date - $this->time();
                    continue;
                }
                $failed = $answer->failure();
            } catch (StockroomException $unusable) {
                $failed = $unusable;
            }
            $rate = $failed instanceof RateLimitedException;
            $lost = ($failed instanceof NoAnswerException || $failed instanceof UnexpectedAnswerException) && $failed->temporary;
            $unsent = $failed instanceof NoAnswerException && $failed->unsent;
            $safe = $rate || $unsent || $failed instanceof UnavailableException || ($lost && $repeatable);
            $asked = $failed->retryAfter ?? self::backoff($rate ? $limited : $used);
            if (!$safe || $asked > $this->maxWait || ($rate ? $asked > $patience : $used >= $this->retries)) {
                throw $failed;
            }
            $spread = $asked + self::chance() * ($rate ? 0.1 : 0.5);
            if ($rate) {
                $limited++;
                $patience -= $spread;
            } else {
                $used++;
            }
            $this->pause($spread);
        }
    }

    private function send(string $path, string $type, string $body, ?string $key, int $wait): Answer
    {
        $url = $this->address . $path;
        $timestamp = (string) (int) ($this->time() + $this->ahead);
        $headers = [
            'Content-Type' => $type, 'Accept' => self::JSON, 'Accept-Language' => $this->language, 'Expect' => '',
            'appid' => $this->appid, 'timestamp' => $timestamp, 'accesstoken' => $this->accesstoken,
        ];
        if ($key !== null) {
            $headers['Idempotency-Key'] = $key;
        }
        if ($type === self::FILE) {
            $headers['Content-Digest'] = 'sha-256=:' . base64_encode(hash('sha256', $body, true)) . ':';
        }
        if ($this->signature === 'hmac-sha256') {
            $nonce = Signing::randomKey();
            $query = parse_url($url, PHP_URL_QUERY);
            $signedPath = parse_url($url, PHP_URL_PATH) . ($query === null ? '' : "?$query");
            $headers['sign'] = Signing::signHmac($this->secret, 'POST', $signedPath, $timestamp, $this->accesstoken, $body, $nonce, $key ?? '');
            $headers += ['sign-method' => $this->signature, 'sign-nonce' => $nonce];
        } else {
            $headers['sign'] = Signing::sign($this->secret, $timestamp);
        }
        $received = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, $this->curl + [
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => array_map(static fn (string $name): string => "$name: $headers[$name]", array_keys($headers)),
            CURLOPT_USERAGENT => 'stockroom-php/' . self::VERSION,
            CURLOPT_ENCODING => '',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => $this->timeout + $wait,
            CURLOPT_CONNECTTIMEOUT => min($this->timeout, 10),
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $handle, string $line) use (&$received): int {
                if (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $received[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        $error = curl_errno($curl);
        $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (isset(self::UNSENT[$error])) {
            throw new NoAnswerException(
                "$url cannot be reached: " . self::UNSENT[$error] . '. Check the URL and whether the server is running.',
                true,
            );
        }
        if ($error === CURLE_OPERATION_TIMEDOUT) {
            throw new NoAnswerException("$url did not respond within " . ($this->timeout + $wait) . ' seconds.', false);
        }
        if ($error !== 0 && $status === 0) {
            throw new NoAnswerException("The connection to $url failed before a response arrived: " . curl_error($curl) . '.', false);
        }
        return Answer::parse($url, $status, $received, (string) $text, $error === 0);
    }

    private function time(): float
    {
        return $this->now === null ? microtime(true) : ($this->now)();
    }

    private function pause(float $seconds): void
    {
        $this->sleep === null ? usleep((int) ($seconds * 1_000_000)) : ($this->sleep)($seconds);
    }

    private static function chance(): float
    {
        return mt_rand() / mt_getrandmax();
    }

    private static function backoff(int $attempt): float
    {
        return self::chance() * 0.5 * 2 ** min($attempt, 5);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function pick(array $fields, string ...$names): array
    {
        return array_intersect_key($fields, array_flip($names));
    }

    /** @param callable(int): array<string, mixed> $fetch */
    private static function pages(callable $fetch): \Generator
    {
        for ($page = 1, $total = 1; $page <= $total; $page++) {
            ['totalPages' => $total, 'data' => $data] = $fetch($page);
            foreach ($data as $one) {
                yield $one;
            }
        }
    }

    /**
     * Splits groups into requests that the server accepts.
     *
     * @param list<array<string, mixed>> $groups
     * @return list<list<array<string, mixed>>>
     */
    private static function batches(array $groups): array
    {
        $all = [];
        $entries = 0;
        foreach ($groups as $group) {
            $count = 0;
            foreach ($group['param'] as $item) {
                $isRange = preg_match('/^(\d+)-(\d+)$/D', (string) $item['size'], $ends) === 1;
                $count += $isRange ? (int) $ends[2] - (int) $ends[1] + 1 : 1;
            }
            $last = array_key_last($all);
            if ($last === null || $entries + $count > self::MAX_ENTRIES || count($all[$last]) === self::MAX_GROUPS) {
                $all[] = [];
                $entries = 0;
            }
            $all[array_key_last($all)][] = $group;
            $entries += $count;
        }
        return $all;
    }
}
