import type { Actor } from '@/lib/auth/rights'
import { currentBudget, signalOf, withBudget } from '@/lib/db/budget'
import { isMissing, refusalIn } from '@/lib/db/errors'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { withSlot } from '@/lib/load/gates'
import { countEntities } from '@/lib/registry/count-entities'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { restrictedTarget } from '@/lib/search/restricted-target'
import type { ImageUse, ImageUsesMeta } from './contract'
import { findImage } from './store'
import { countUses, findUses, type ImagePatterns, imagePatterns, usesSql } from './uses/find-uses'

/** How long all searches together may take, and one of them. */
const TOGETHER_MS = 4_000
const ONE_MS = 1_500
/** On the embedded database, other requests wait for its one connection meanwhile. */
const YIELDS_AFTER_MS = 500
/** Records that are named in all. */
const MOST = 200
/** Hidden records that are counted in all. */
const MOST_HIDDEN = 1_000

export type ImageUses = { uses: ImageUse[]; meta: ImageUsesMeta }

/**
 * The records whose texts or JSON hold an address of the image, its `fileId`, or its public id:
 * those that `actor` may see, those of entities that it may not read as a number. Takes at most 4 s; what could not be
 * searched in that time is named. Throws `not_found`, and `unavailable` when too many such searches
 * are running.
 */
export async function imageUses(deps: Deps, actor: Actor, fileId: string): Promise<ImageUses> {
  const patterns = imagePatterns(await findImage(deps.db, fileId))
  const entities = await listEntities(deps)
  const signal = signalOf(currentBudget())
  return withSlot(deps, 'costly search', { actor, signal }, async () => {
    const search = new UsesSearch(deps, actor, patterns, entities)
    const sizes = await countEntities(deps.db, entities)
    for (const entity of entities)
      if (sizes.get(entity.name)?.value !== 0) await search.lookInto(entity)
    return search.result()
  })
}

class UsesSearch {
  private readonly end = performance.now() + TOGETHER_MS
  private readonly uses: ImageUse[] = []
  private readonly meta: ImageUsesMeta = { hidden: 0, more: [], incomplete: [], complete: true }

  constructor(
    private readonly deps: Deps,
    private readonly actor: Actor,
    private readonly patterns: ImagePatterns,
    private readonly installed: readonly Entity[],
  ) {}

  result(): ImageUses {
    const hidden = Math.min(this.meta.hidden, MOST_HIDDEN)
    return { uses: this.uses.slice(0, MOST), meta: { ...this.meta, hidden } }
  }

  async lookInto(entity: Entity): Promise<void> {
    const ms = Math.min(ONE_MS, this.end - performance.now())
    const isShown = mayRead(this.actor, entity)
    const enough = isShown ? this.uses.length >= MOST : this.meta.hidden >= MOST_HIDDEN
    if (enough && isShown) this.meta.more.push(entity.name)
    if (enough) return
    try {
      if (ms <= 0) throw null
      await withBudget({ ms, yieldsAfterMs: YIELDS_AFTER_MS }, () => this.find(entity, isShown))
    } catch (error) {
      if (isMissing(error)) return // removed meanwhile
      if (error !== null && refusalIn(error)?.code !== 'unavailable') throw error
      this.meta.complete = false
      if (isShown) this.meta.incomplete.push(entity.name)
    }
  }

  private async find(entity: Entity, isShown: boolean): Promise<void> {
    const target = isShown ? restrictedTarget(entity, this.actor, this.installed) : targetOf(entity)
    const made = usesSql(entity, target, this.patterns)
    if (!made) return
    const { db } = this.deps
    if (!isShown) {
      this.meta.hidden += await countUses(db, entity, made.where)
      return
    }
    const { uses, more } = await findUses(db, entity, target, made)
    this.uses.push(...uses)
    if (more) this.meta.more.push(entity.name)
  }
}
