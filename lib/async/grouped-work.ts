type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type Limits = {
  /** Of items in a group. */
  maxItems: number
  /** A group that takes longer no longer holds up the next. */
  waitLimitMs: number
}

/**
 * Work on items that come one by one and is cheaper for several: items of one turn of the event loop,
 * and those that come while a group is being worked on, become a group.
 */
export class GroupedWork<Item, Result> {
  private waiting: Waiting<Item, Result>[] = []
  private isDue = false

  /** `work` returns a result for each item, in order; when it rejects, all items do. */
  constructor(
    private readonly work: (items: Item[]) => Promise<readonly Result[]>,
    private readonly limits: Limits,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      if (this.isDue) return
      this.isDue = true
      setImmediate(() => void this.runAll())
    })
  }

  get isIdle(): boolean {
    return !this.isDue
  }

  private async runAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.limits.maxItems)
      await endOrTime(this.runGroup(group), this.limits.waitLimitMs)
    }
    this.isDue = false
  }

  private async runGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item))
      for (const [at, { resolve }] of group.entries()) resolve(results[at] as Result)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

function endOrTime(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
