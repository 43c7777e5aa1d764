<?php

declare(strict_types=1);

namespace Stockroom;

/** The calls that manage webhooks. */
final class Webhooks
{
    /** @param \Closure(string, string, bool): Answer $ask with path, body and whether it only reads */
    public function __construct(private readonly \Closure $ask)
    {
    }

    /**
     * Creates a webhook. Store the secret: it is shown only once.
     *
     * @param list<string> $kinds
     * @return array{id: string, secret: string}
     */
    public function create(string $url, array $kinds = ['stock', 'product']): array
    {
        $fields = ['url' => $url, 'kinds' => array_values($kinds)];
        $answer = ($this->ask)('/Webhook/Create', json_encode($fields, JSON_THROW_ON_ERROR), false)->success();
        return ['id' => $answer['id'], 'secret' => $answer['secret']];
    }

    /**
     * Changes url or kinds; the webhook keeps its secret and its position.
     *
     * @param array{url?: string, kinds?: list<string>} $change
     */
    public function update(string $id, array $change): void
    {
        ($this->ask)('/Webhook/Update', json_encode(['id' => $id] + $change, JSON_THROW_ON_ERROR), true)->success();
    }

    /** @return list<array<string, mixed>> */
    public function list(): array
    {
        return ($this->ask)('/Webhook/List', '', true)->success()['webhooks'];
    }

    /** @return \Generator<int, array<string, mixed>> the attempts to deliver, newest first */
    public function deliveries(string $id): \Generator
    {
        for ($page = 1, $total = 1; $page <= $total; $page++) {
            $form = http_build_query(['id' => $id, 'page' => $page]);
            ['totalPages' => $total, 'deliveries' => $all] = ($this->ask)('/Webhook/Deliveries', $form, true)->success();
            foreach ($all as $delivery) {
                yield $delivery;
            }
        }
    }

    /**
     * Gives a webhook a new secret; for a day, deliveries are signed with both.
     *
     * @return array{id: string, secret: string}
     */
    public function rotate(string $id): array
    {
        return ['id' => $id, 'secret' => $this->change('Rotate', ['id' => $id])['secret']];
    }

    public function replay(string $id, string $after): void
    {
        $this->change('Replay', ['id' => $id, 'after' => $after]);
    }

    public function test(string $id): void
    {
        $this->change('Test', ['id' => $id]);
    }

    public function enable(string $id): void
    {
        $this->change('Enable', ['id' => $id]);
    }

    public function disable(string $id): void
    {
        $this->change('Disable', ['id' => $id]);
    }

    public function delete(string $id): void
    {
        $this->change('Delete', ['id' => $id]);
    }

    /**
     * @param array<string, string> $fields
     * @return array<string, mixed>
     */
    private function change(string $action, array $fields): array
    {
        return ($this->ask)("/Webhook/$action", http_build_query($fields), false)->success();
    }
}
