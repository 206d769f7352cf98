/** What this process knows of the stops that its own attempts lead to, before the database does. */
class Stops {
  #count = new Map<string, number>()
  #running = new Set<string>()

  /** Another after each stop. */
  generationOf(webhookId: string): number {
    return this.#count.get(webhookId) ?? 0
  }

  /** Whether no stop has begun since `generation`, and none is being written down. */
  isStill(webhookId: string, generation: number): boolean {
    return !this.#running.has(webhookId) && this.generationOf(webhookId) === generation
  }

  /** A stop, from this moment on; `write` writes it down. */
  async begin(webhookId: string, write: () => Promise<void>): Promise<void> {
    this.#count.set(webhookId, this.generationOf(webhookId) + 1)
    this.#running.add(webhookId)
    await write().finally(() => this.#running.delete(webhookId))
  }
}

export const stops = new Stops()
