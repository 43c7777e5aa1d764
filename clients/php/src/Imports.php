<?php

declare(strict_types=1);

namespace Stockroom;

/** The calls that import files: each import is a job. */
final class Imports
{
    /** @param \Closure(string, string, bool, ?string): Answer $ask with path, body, whether it only reads, and key */
    public function __construct(private readonly \Closure $ask)
    {
    }

    /**
     * Sends a CSV, XLSX or JSON Lines file and starts a job.
     *
     * @param string $content the file
     * @param string $mode what its quantities mean: set, add or replace
     * @param bool $apply whether to apply the plan if no row has errors
     * @return string the job
     */
    public function start(
        string $content,
        string $mode = 'set',
        bool $apply = false,
        string $name = '',
        ?string $idempotencyKey = null,
    ): string {
        $query = http_build_query(['mode' => $mode, 'apply' => $apply ? 'true' : 'false', 'name' => $name]);
        $key = $idempotencyKey ?? Signing::randomKey();
        return ($this->ask)("/Stock/Import?$query", $content, true, $key)->success()['job'];
    }

    /** @return array<string, mixed> what a job has done so far, with a page of its errors */
    public function status(string $job, int $page = 1): array
    {
        $form = http_build_query(['job' => $job, 'page' => $page]);
        return ($this->ask)('/Stock/Import/Status', $form, true, null)->success();
    }

    /** @return \Generator<int, array<string, mixed>> */
    public function errors(string $job): \Generator
    {
        for ($page = 1, $total = 1; $page <= $total; $page++) {
            ['totalPages' => $total, 'errors' => $all] = $this->status($job, $page);
            foreach ($all as $error) {
                yield $error;
            }
        }
    }

    public function apply(string $job): void
    {
        $this->change('Apply', $job);
    }

    public function cancel(string $job): void
    {
        $this->change('Cancel', $job);
    }

    /** @return string a new job, which restores what an applied job changed */
    public function undo(string $job): string
    {
        return $this->change('Undo', $job)['job'];
    }

    /** @return array<string, mixed> */
    private function change(string $action, string $job): array
    {
        return ($this->ask)("/Stock/Import/$action", http_build_query(['job' => $job]), false, null)->success();
    }
}
