import { queryOptions, useQuery } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/state'
import { api } from '@/lib/http/client'
import type { ImageUse, ImageUsesMeta } from '@/lib/images/contract'

/** People who leaf through images ask for nothing. */
const STAYS_MS = 500

/** The section of an image's panel with the records that use it. */
export function ImageUses({ fileId }: { fileId: string }) {
  const [stays, setStays] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAYS_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data, error, refetch } = useQuery({ ...usesOptions(fileId), enabled: stays })
  return (
    <section aria-labelledby="image-uses" className="grid gap-2 border-t pt-4">
      <h3 id="image-uses" className="text-[13px] font-medium">
        Used in
      </h3>
      {data && <UseList found={data} />}
      {data && isUnused(data) && <p className="text-[13px] text-muted-foreground">No record.</p>}
      {!data && !error && <Skeleton className="h-4 w-2/3" />}
      {error && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-[13px]">
          {error.message}
          <Button size="sm" onClick={() => refetch()}>
            Try again
          </Button>
        </div>
      )}
    </section>
  )
}

/** Records that use an image, with the way to them, and what is not known of others. */
export function UseList({ found }: { found: KnownUses }) {
  const remarks = remarksOf(found)
  const entities = [...new Set(found.uses.map(({ entity }) => entity))]
  return (
    <div className="grid gap-2 text-[13px]">
      {entities.map((entity) => (
        <section key={entity} aria-label={entity}>
          <h4 className="text-xs text-muted-foreground">{entity}</h4>
          <ul>
            {found.uses
              .filter((use) => use.entity === entity)
              .map((use) => (
                <Use key={use.persistenceId} use={use} />
              ))}
            {found.more.includes(entity) && <li className="text-muted-foreground">and more</li>}
          </ul>
        </section>
      ))}
      {remarks.map((remark) => (
        <p key={remark} className="text-muted-foreground">
          {remark}
        </p>
      ))}
    </div>
  )
}

const Use = ({ use: { entity, persistenceId, title, fields } }: { use: ImageUse }) => (
  <li className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-2">
    <Link
      href={`/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(persistenceId)}`}
      className="max-w-full truncate rounded text-primary underline-offset-2 hover:underline"
    >
      {title}
    </Link>
    <span className="text-xs text-muted-foreground">in {fields.join(', ')}</span>
  </li>
)

/** What the list does not show. */
function remarksOf({ uses, hidden, more, incomplete, complete }: KnownUses): string[] {
  const unlisted = more.filter((name) => !uses.some(({ entity }) => entity === name))
  return [
    unlisted.length > 0 && `Records of ${unlisted.join(', ')} use it, too.`,
    hidden > 0 &&
      `${countOf(hidden, 'record')} that you may not read ${hidden === 1 ? 'uses' : 'use'} it, too.`,
    incomplete.length > 0 && `${incomplete.join(', ')} could not be searched in time.`,
    !complete && incomplete.length === 0 && 'Not every entity could be searched in time.',
  ].filter((remark) => remark !== false)
}

type KnownUses = { uses: ImageUse[] } & ImageUsesMeta

/** Each search reads every entity, so few of them run at a time. */
const inTurn = pLimit(2)

/** The records that use an image. */
export const usesOptions = (fileId: string) =>
  queryOptions({
    queryKey: ['image-uses', fileId],
    queryFn: ({ signal }) => inTurn(() => findUses(fileId, signal)),
    retry: false,
    refetchOnWindowFocus: false,
  })

async function findUses(fileId: string, signal: AbortSignal): Promise<KnownUses> {
  // It may have waited for others until nobody wanted it any more.
  signal.throwIfAborted()
  const path = `/api/images/${encodeURIComponent(fileId)}/uses`
  const { data, meta } = await api<ImageUse>(path, { signal })
  return { uses: data, ...(meta as ImageUsesMeta) }
}

/**
 * The records that use any of several images, each once, with the fields of all its uses. Hidden records may be the
 * same for each image: `hidden` is the least number that they can be.
 */
export function mergeUses(all: readonly KnownUses[]): KnownUses {
  const uses = new Map<string, KnownUses['uses'][number]>()
  for (const use of all.flatMap((each) => each.uses)) {
    const id = `${use.entity}\n${use.persistenceId}`
    const fields = [...(uses.get(id)?.fields ?? []), ...use.fields]
    uses.set(id, { ...use, fields: [...new Set(fields)] })
  }
  return {
    uses: [...uses.values()],
    hidden: Math.max(0, ...all.map(({ hidden }) => hidden)),
    more: unique(all.flatMap(({ more }) => more)),
    incomplete: unique(all.flatMap(({ incomplete }) => incomplete)),
    complete: all.every(({ complete }) => complete),
  }
}

const unique = (names: readonly string[]) => [...new Set(names)]

/** Nothing is known that uses it, and everything was searched. */
export const isUnused = ({ uses, hidden, more, complete }: KnownUses): boolean =>
  uses.length + hidden + more.length === 0 && complete
