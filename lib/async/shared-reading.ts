/**
 * A reading that calls share: each gets a value that was read after it called, and one reading runs at a
 * time. Calls that come meanwhile wait for the next.
 */
export class SharedReading<T> {
  private next: Promise<T> | null = null
  private running: Promise<unknown> | null = null

  constructor(private readonly read: () => Promise<T>) {}

  /** Rejects as `read` does. */
  get(): Promise<T> {
    this.next ??= this.begin()
    return this.next
  }

  get isIdle(): boolean {
    return this.next === null && this.running === null
  }

  private async begin(): Promise<T> {
    // Requests that arrived together call in the same turn of the event loop.
    await Promise.all([this.running, new Promise((resolve) => setImmediate(resolve))])
    this.next = null
    const reading = this.read()
    const ended = reading.then(
      () => {},
      () => {},
    )
    this.running = ended
    try {
      return await reading
    } finally {
      if (this.running === ended) this.running = null
    }
  }
}
