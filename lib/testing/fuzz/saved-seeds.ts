import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { ReachedBlocks } from './reached-blocks'

export type Target<T> = {
  name: string
  input: fc.Arbitrary<T>
  /** What is wrong with how the input is treated, or undefined. */
  faultOf: (input: T) => Promise<string | undefined>
}

/** The seeds of `target` in a file of `folder`: each reached code that those before it did not. */
export class SavedSeeds<T> {
  private readonly path: string
  readonly seeds: number[]

  constructor(
    private readonly target: Target<T>,
    folder: URL,
  ) {
    this.path = fileURLToPath(new URL(`${target.name}.json`, folder))
    this.seeds = JSON.parse(readFileSync(this.path, 'utf8'))
  }

  /** What is wrong with the inputs of `seeds`, with the seed. */
  async faultsOf(seeds: readonly number[]): Promise<string[]> {
    const faults: string[] = []
    for (const seed of seeds) {
      const fault = await this.faultOf(seed)
      if (fault) faults.push(fault)
    }
    return faults
  }

  /** Tries new seeds for some seconds; saves those that reach something new, and returns what went wrong. */
  async explore(seconds: number): Promise<string[]> {
    const blocks = await ReachedBlocks.start()
    const kept: number[] = []
    const faults: string[] = []
    const end = performance.now() + seconds * 1000
    const candidates = [...this.seeds]
    while (candidates.length > 0 || performance.now() < end) {
      const seed = candidates.shift() ?? Math.floor(Math.random() * 2 ** 31)
      const fault = await this.faultOf(seed)
      if (fault) faults.push(fault)
      if ((await blocks.takeNew()) > 0 || fault) kept.push(seed)
    }
    await blocks.stop()
    writeFileSync(this.path, `${JSON.stringify(kept)}\n`)
    return faults
  }

  private async faultOf(seed: number): Promise<string | undefined> {
    const [input] = fc.sample(this.target.input, { seed, numRuns: 1 }) as [T]
    const fault = await this.target.faultOf(input).catch((error: unknown) => `threw ${error}`)
    return fault && `seed ${seed}: ${fault}`
  }
}
