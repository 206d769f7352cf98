import type { RecordConflict } from '@/lib/db/schema'
import { decidedKeys, refuseUnmet } from '@/lib/plugins/decisions'
import type { Decisions } from '@/lib/plugins/decisions-contract'
import type { FileReport } from '@/lib/plugins/file-report'
import type { PlannedFile } from '@/lib/plugins/plugin-file'

type Page = { file: string; page: number; size: number }
type Conflicts = { total: number; items: RecordConflict[] }

/** What a dry run finds of conflicts: which decisions meet one, and a page of those of one file. */
export class ConflictsFound {
  readonly #met = new Set<string>()
  #listed: Conflicts = { total: 0, items: [] }

  constructor(
    readonly decisions: Decisions = {},
    readonly page: Page | null = null,
  ) {}

  /** Forgets what an attempt that was given up has found in a file. */
  begin({ path }: PlannedFile): void {
    if (this.page?.file === path) this.#listed = { total: 0, items: [] }
  }

  readonly note = ({ path, target }: PlannedFile, conflict: RecordConflict): void => {
    if (this.decisions[target ?? '']) this.#met.add(nameOf(target ?? '', conflict.key))
    if (this.page?.file !== path) return
    const at = this.#listed.total++ - this.page.page * this.page.size
    if (at >= 0 && at < this.page.size) this.#listed.items.push(conflict)
  }

  listed = (): Conflicts => this.#listed

  /**
   * Throws `invalid_input` for decisions about records without a conflict. Those of entities with a file
   * that fails are not judged, as its conflicts are not known.
   */
  requireMet(reports: readonly FileReport[]): void {
    const failed = new Set(reports.flatMap((one) => (one.status === 'failed' ? one.target : [])))
    refuseUnmet(
      decidedKeys(this.decisions).filter(
        ({ entity, key }) => !failed.has(entity) && !this.#met.has(nameOf(entity, key)),
      ),
    )
  }
}

const nameOf = (entity: string, key: unknown) => JSON.stringify([entity, key])
