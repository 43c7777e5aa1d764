<?php

declare(strict_types=1);

namespace Stockroom;

/** Finds values that the server would reject, and describes them in its words. */
final class Checks
{
    private const MAX_INT = 2147483647;
    private const INVISIBLE = '/[\x{AD}\x{34F}\x{61C}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}'
        . '\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{206F}\x{3164}\x{FE00}-\x{FE0F}\x{FEFF}\x{FFA0}'
        . '\x{FFF0}-\x{FFF8}\x{1BCA0}-\x{1BCA3}\x{1D173}-\x{1D17A}\x{E0000}-\x{E0FFF}]/u';
    private const CONTROL = '/[\x{0}-\x{1F}\x{7F}-\x{9F}]/u';

    /** @var list<Problem> */
    private array $problems = [];

    public function __construct(private readonly string $language)
    {
    }

    public function add(string $at, string $code, mixed ...$values): null
    {
        $msg = preg_replace_callback(
            '/\{(\d)\}/',
            fn (array $place): string => $this->worded($values[(int) $place[1]], $place[1] === '0'),
            Codes::MESSAGES[$this->language][$code],
        );
        $this->problems[] = new Problem($at, $code, $msg);
        return null;
    }

    /** Throws if there is a problem; shows the first three. */
    public function done(): void
    {
        if ($this->problems === []) {
            return;
        }
        $sentences = array_map(
            static fn (Problem $one): string => $one->at === '' ? $one->msg : "$one->at: $one->msg",
            array_slice($this->problems, 0, 3),
        );
        $more = count($this->problems) - 3;
        $rest = $more <= 0 ? '' : ($this->language === 'zh' ? "（另有 $more 处）" : " (and $more more)");
        throw new InvalidRequestException(
            implode(' ', $sentences) . $rest,
            $this->problems[0]->code,
            problems: $this->problems,
        );
    }

    /** Our own phrases are translated; the caller's text is clipped and its control characters are escaped. */
    private function worded(mixed $value, bool $first): string
    {
        if (is_array($value)) {
            return implode(', ', array_map(fn (mixed $one): string => $this->worded($one, false), $value));
        }
        $text = (string) $value;
        if (!$first && $this->language === 'zh' && isset(Codes::PHRASES[$text])) {
            return Codes::PHRASES[$text];
        }
        $letters = self::letters($text);
        $shown = array_map(
            static fn (string $c): string => preg_match('/^[\p{Cc}\p{Cf}]$/u', $c) === 1
                ? sprintf('\\u%04x', self::number32($c)) : $c,
            array_slice($letters, 0, 80),
        );
        return implode('', $shown) . (count($letters) > 80 ? '…' : '');
    }

    /** @return list<string> the characters of a text */
    private static function letters(string $text): array
    {
        return preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    private static function number32(string $letter): int
    {
        return unpack('N', iconv('UTF-8', 'UCS-4BE', $letter))[1];
    }

    private function wrongType(string $at, mixed $value, string $expected): null
    {
        $kind = match (true) {
            $value === null => 'null',
            is_array($value) => array_is_list($value) ? 'an array […]' : 'an object {…}',
            is_string($value) => "a string ($value)",
            is_int($value) => "a whole number ($value)",
            is_float($value) => 'a decimal number (' . json_encode($value, JSON_PRESERVE_ZERO_FRACTION) . ')',
            is_bool($value) => 'true or false (' . ($value ? 'true' : 'false') . ')',
            default => 'an object {…}',
        };
        return $this->add($at, 'FIELD_TYPE', $kind, $expected);
    }

    /** A whole number in JSON. */
    public function number(string $at, mixed $value, int $min): ?int
    {
        if (!is_int($value)) {
            return $this->wrongType($at, $value, 'a whole number');
        }
        return $value < $min || $value > self::MAX_INT
            ? $this->add($at, 'NUMBER_RANGE', $value, $min, self::MAX_INT) : $value;
    }

    /** A whole number in a form. */
    public function field(string $name, mixed $value, int $min, int $max = self::MAX_INT): void
    {
        $number = preg_match('/^\d{1,10}$/D', (string) $value) === 1 ? (int) $value : -1;
        if ($number < $min || $number > $max) {
            $this->add($name, 'NUMBER_FORMAT', $value, $min, $max);
        }
    }

    public function cursor(string $value): void
    {
        if ($value !== '' && $value !== 'latest' && preg_match('/^[cs]_[A-Za-z0-9_-]{1,62}$/D', $value) !== 1) {
            $this->add('after', 'CURSOR_FORMAT', $value);
        }
    }

    public function key(string $value): void
    {
        if (preg_match('/^[!-~]{1,64}$/D', $value) !== 1) {
            $this->add('headers.Idempotency-Key', 'IDEMPOTENCY_KEY_FORMAT', $value, 64);
        }
    }

    public function header(string $name, string $value): void
    {
        if (trim($value) === '') {
            $this->add("headers.$name", 'HEADER_MISSING', $name);
        } elseif (preg_match('/^[!-~]{1,256}$/D', trim($value)) !== 1) {
            $this->add("headers.$name", 'HEADER_FORMAT', $name, 256);
        }
    }

    /** A color, an item number or a barcode. */
    public function text(string $at, mixed $value, int $max = 64, bool $identifier = true): ?string
    {
        if (!is_string($value)) {
            return $this->wrongType($at, $value, 'a string');
        }
        $normal = class_exists(\Normalizer::class) ? (\Normalizer::normalize($value) ?: $value) : $value;
        $kept = preg_replace('/^[\s\p{Z}]+|[\s\p{Z}]+$/u', '', $normal) ?? $normal;
        foreach ([[$value, $identifier ? self::INVISIBLE : '/(?!)/'], [$kept, self::CONTROL]] as [$text, $pattern]) {
            if (preg_match($pattern, $text, $bad, PREG_OFFSET_CAPTURE) === 1) {
                $place = count(self::letters(substr($text, 0, $bad[0][1]))) + 1;
                return $this->add($at, 'TEXT_CHARACTERS', $text, sprintf('U+%04X', self::number32($bad[0][0])), $place);
            }
        }
        if ($kept === '' && $identifier) {
            return $this->add($at, 'TEXT_EMPTY');
        }
        $length = count(self::letters($kept));
        return $length > $max ? $this->add($at, 'TEXT_TOO_LONG', $kept, $length, $max) : $kept;
    }

    /** One size. The server also checks that it has no comma. */
    public function size(string $at, mixed $value): ?string
    {
        return is_string($value) || is_int($value)
            ? $this->text($at, (string) $value, 20) : $this->wrongType($at, $value, 'a string or a whole number');
    }

    /** @return ?list<string> the sizes of a create: one size, or each size of a range */
    public function sizes(string $at, mixed $value): ?array
    {
        if (!is_string($value) || preg_match('/^(\d+)-(\d+)$/D', $value, $parts) !== 1) {
            $size = $this->size($at, $value);
            return $size === null ? null : [$size];
        }
        $text = $value;
        if (strlen($text) > 64 || preg_match('/(^|-)0\d/', $text) === 1) {
            return $this->add($at, 'SIZE_FORMAT', $text);
        }
        [$first, $last] = [(int) $parts[1], (int) $parts[2]];
        if (min($first, $last) < 1 || max($first, $last) > 999) {
            return $this->add($at, 'SIZE_BOUNDS', $text, 1, 999);
        }
        if ($first > $last) {
            return $this->add($at, 'SIZE_ORDER', $text, "$last-$first");
        }
        return $last - $first >= 100
            ? $this->add($at, 'SIZE_TOO_MANY', $text, $last - $first + 1, 100) : array_map('strval', range($first, $last));
    }

    /** @param callable(string, mixed): mixed $element */
    private function list(string $at, mixed $value, string $expected, int $max, callable $element): void
    {
        if (!is_array($value) || !array_is_list($value)) {
            $this->wrongType($at, $value, $expected);
            return;
        }
        foreach (array_slice($value, 0, $max) as $i => $one) {
            $element("{$at}[$i]", $one);
        }
        if ($value === []) {
            $this->add($at, 'LIST_EMPTY');
        }
        if (count($value) > $max) {
            $this->add($at, 'LIST_TOO_LONG', count($value), $max);
        }
    }

    /**
     * Checks the known fields in their order. The server judges unknown ones, which may be misspelled.
     *
     * @param array<string, callable(string, mixed): mixed> $known
     * @return ?array<string, true> the names
     */
    private function object(string $at, mixed $value, string $expected, array $known): ?array
    {
        if (!is_array($value) || ($value !== [] && array_is_list($value))) {
            return $this->wrongType($at, $value, $expected);
        }
        foreach ($value as $name => $one) {
            if (isset($known[$name])) {
                $known[$name]("$at.$name", $one);
            }
        }
        return array_diff_key($value, $known) === [] ? array_map(static fn (): bool => true, $value) : null;
    }

    /** @param ?array<string, true> $names */
    private function require(string $at, ?array $names, string ...$required): void
    {
        foreach ($required as $name) {
            if ($names !== null && !isset($names[$name])) {
                $this->add("$at.$name", 'FIELD_MISSING', $name);
            }
        }
    }

    public function create(mixed $groups): void
    {
        $entries = [];
        $this->list('', $groups, 'an array of color groups', PHP_INT_MAX, function (string $at, mixed $group) use (&$entries): void {
            $color = $pid = null;
            $items = [];
            $names = $this->object($at, $group, 'a color group {…}', [
                'color' => function (string $place, mixed $one) use (&$color): void {
                    $color = $this->text($place, $one);
                },
                'pid' => function (string $place, mixed $one) use (&$pid): void {
                    $pid = $this->number($place, $one, 1);
                },
                'param' => function (string $place, mixed $one) use (&$items): void {
                    $this->list($place, $one, 'an array of sizes', 10000, function (string $where, mixed $item) use (&$items): void {
                        $items[$where] = $this->sizeItem($where, $item);
                    });
                },
            ]);
            $this->require($at, $names, 'color', 'pid', 'param');
            if ($color !== null && $pid !== null) {
                foreach (array_filter($items) as $where => $sizes) {
                    $entries[] = [$where, $pid, $color, $sizes];
                }
            }
        });
        $places = [];
        foreach ($entries as [$at, $pid, $color, $sizes]) {
            $taken = null;
            foreach ($sizes as $size) {
                $entry = "$pid\n$color\n" . strtolower($size);
                $taken ??= isset($places[$entry]) ? [$size, $places[$entry]] : null;
                $places[$entry] ??= $at;
            }
            if ($taken !== null) {
                $this->add($at, 'ENTRY_REPEATED', $pid, $color, ...$taken);
            }
        }
    }

    /** @return ?list<string> */
    private function sizeItem(string $at, mixed $item): ?array
    {
        $before = count($this->problems);
        $sizes = $barCode = null;
        $names = $this->object($at, $item, 'a size {…}', [
            'size' => function (string $place, mixed $one) use (&$sizes): void {
                $sizes = $this->sizes($place, $one);
            },
            'stock' => fn (string $place, mixed $one) => $this->number($place, $one, 0),
            'barCode' => function (string $place, mixed $one) use (&$barCode): void {
                $barCode = $one === null || $one === '' ? null : $this->text($place, $one);
            },
        ]);
        $this->require($at, $names, 'size', 'stock');
        if ($barCode !== null && $sizes !== null && count($sizes) > 1) {
            $this->add("$at.barCode", 'BARCODE_ON_RANGE', $barCode, count($sizes));
        }
        return count($this->problems) === $before ? $sizes : null;
    }

    public function adjust(mixed $adjustments): void
    {
        $places = $repeated = [];
        $one = function (string $at, mixed $adjustment) use (&$places, &$repeated): void {
            $before = count($this->problems);
            $found = ['product' => null, 'color' => null, 'size' => null, 'barCode' => null];
            $text = function (string $name) use (&$found): callable {
                return function (string $place, mixed $one) use (&$found, $name): void {
                    $found[$name] = $this->text($place, $one);
                };
            };
            $names = $this->object($at, $adjustment, 'an adjustment {…}', [
                'pid' => function (string $place, mixed $one) use (&$found): void {
                    $found['product'] = $this->number($place, $one, 1);
                },
                'artNo' => $text('product'),
                'color' => $text('color'),
                'size' => function (string $place, mixed $one) use (&$found): void {
                    $found['size'] = $this->size($place, $one);
                },
                'barCode' => $text('barCode'),
                'change' => fn (string $place, mixed $one) => $this->number($place, $one, -self::MAX_INT) === 0
                    ? $this->add($place, 'CHANGE_ZERO') : null,
                'set' => fn (string $place, mixed $one) => $this->number($place, $one, 0),
                'expect' => fn (string $place, mixed $one) => $this->number($place, $one, 0),
            ]);
            if ($names === null) {
                return;
            }
            foreach ([['pid', 'artNo', 'barCode'], ['change', 'set']] as $choice) {
                $sent = array_values(array_filter($choice, static fn (string $name): bool => isset($names[$name])));
                if (count($sent) !== 1) {
                    $this->add($at, 'FIELD_CHOICE', $choice, $sent === [] ? 'none of them' : $sent);
                }
            }
            if (!isset($names['barCode'])) {
                $this->require($at, $names, 'color', 'size');
            } else {
                foreach (array_intersect(['color', 'size'], array_keys($names)) as $other) {
                    $this->add("$at.$other", 'FIELD_CHOICE', ['barCode', $other], ['barCode', $other]);
                }
            }
            if (count($this->problems) > $before) {
                return;
            }
            $entry = json_encode([...array_values($found), strtolower($found['size'] ?? '')]);
            if (!isset($places[$entry])) {
                $places[$entry] = $at;
            } elseif ($found['barCode'] !== null) {
                $repeated[] = ["$at.barCode", 'BARCODE_REPEATED', $found['barCode'], $places[$entry]];
            } else {
                $repeated[] = [$at, 'ENTRY_REPEATED', $found['product'], $found['color'], $found['size'], $places[$entry]];
            }
        };
        $this->list('', $adjustments, 'an array of adjustments', 300, $one);
        foreach ($repeated as $problem) {
            $this->add(...$problem);
        }
    }

    public function publish(mixed $results): void
    {
        $places = $repeated = [];
        $this->list('', $results, 'an array of publish results', 300, function (string $at, mixed $result) use (&$places, &$repeated): void {
            $before = count($this->problems);
            $pid = null;
            $names = $this->object($at, $result, 'a publish result {…}', [
                'pid' => function (string $place, mixed $one) use (&$pid): void {
                    $pid = $this->number($place, $one, 1);
                },
                'result' => fn (string $place, mixed $one) => match (true) {
                    !is_string($one) => $this->wrongType($place, $one, 'a string'),
                    !in_array($one, ['published', 'failed', 'withdrawn'], true) => $this->add($place, 'RESULT_FORMAT', $one),
                    default => null,
                },
                'url' => fn (string $place, mixed $one) => $one === null ? null : $this->text($place, $one, 2000, false),
                'msg' => fn (string $place, mixed $one) => $one === null ? null : $this->text($place, $one, 1000, false),
            ]);
            $this->require($at, $names, 'pid', 'result');
            if ($pid !== null && count($this->problems) === $before) {
                if (isset($places[$pid])) {
                    $repeated[] = ["$at.pid", 'PRODUCT_REPEATED', $pid, $places[$pid]];
                }
                $places[$pid] ??= $at;
            }
        });
        foreach ($repeated as $problem) {
            $this->add(...$problem);
        }
    }

    /** The server's address without a trailing slash; it may have a path. */
    public static function address(string $address): string
    {
        $text = rtrim(trim($address), '/');
        $wrong = static fn (string $what, string $right): InvalidRequestException =>
            new InvalidRequestException("$what. Write the server's address alone, such as $right.");
        if ($text === '') {
            throw $wrong('The address of the server is empty', 'https://stock.example');
        }
        if (str_contains($text, '@')) {
            throw $wrong(
                'The address of the server has a user name in it (before the @); credentials go into appid, secret and accesstoken',
                'https://stock.example',
            );
        }
        if (preg_match('#^https?://#i', $text) !== 1) {
            $rest = preg_replace('#^[a-z]+:/*(?!\d)#i', '', $text);
            $local = preg_match('/^(localhost|127\.|\[::1\])/i', $rest) === 1;
            throw $wrong("\"$text\" does not begin with http:// or https://", ($local ? 'http://' : 'https://') . $rest);
        }
        $calls = '#/(stock/(product|list|creat|adjust|snapshot|digest)|product/(detail|publish)|usage|changes|webhook/\w+)$#i';
        if (preg_match($calls, $text, $call) === 1) {
            throw $wrong("\"$text\" is the address of one call", substr($text, 0, -strlen($call[0])));
        }
        if (strpbrk($text, '?#') !== false) {
            throw $wrong("\"$text\" has more than an address in it", preg_replace('/[?#].*/', '', $text));
        }
        if (filter_var($text, FILTER_VALIDATE_URL) === false) {
            throw $wrong("\"$text\" is not an address", 'https://stock.example');
        }
        return $text;
    }
}
