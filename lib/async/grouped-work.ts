type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type Limits<Item> = {
  /** Of items in a group. */
  maxItems: number
  /** A group that takes longer no longer holds up the next. */
  waitLimitMs: number
  /** Items for which it returns the same value are in different groups. */
  apart?: (item: Item) => unknown
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
    private readonly limits: Limits<Item>,
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
      const group = this.waiting.splice(0, this.sizeOfNext())
      await endOrTime(this.runGroup(group), this.limits.waitLimitMs)
    }
    this.isDue = false
  }

  private sizeOfNext(): number {
    const { maxItems, apart } = this.limits
    if (!apart) return maxItems
    const seen = new Set<unknown>()
    for (const { item } of this.waiting) {
      const value = apart(item)
      if (seen.size === maxItems || seen.has(value)) break
      seen.add(value)
    }
    return seen.size
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
