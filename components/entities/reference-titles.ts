'use client'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { columnsOptions, entityPath } from './entity-queries'
import { batchSize, keyOfValues, titlesByKey, titlesSearch } from './title-search'
import type { EntityRecord } from './types'
import { type Peek, peekText } from './use-panel'

const STALE_MS = 60_000

/** What the record is called that these values identify; null while it is not known, or not to be read. */
export function useReferenceTitle(referred: Peek | null): string | null {
  const mayRead = useCan({ entity: referred?.entity ?? '*', action: 'read' })
  const title = useQuery({
    ...titleOptions(referred ?? { entity: '', values: {} }),
    enabled: mayRead && referred !== null,
  })
  return title.data ?? null
}

// Below the searches of the entity: what makes them stale makes titles stale.
export const titleOptions = (referred: Peek) => ({
  queryKey: ['search', referred.entity, 'title', peekText(referred)],
  queryFn: () => askTogether(referred),
  staleTime: STALE_MS,
  retry: false,
  retryOnMount: false,
})

type Values = Peek['values']
type Waiting = {
  values: Values
  resolve: (title: string | null) => void
  reject: (error: unknown) => void
}
type Batch = { entity: string; waiting: Waiting[] }

/** Titles that are asked for in the same moment, by entity and fields. */
const batches = new Map<string, Batch>()

function askTogether({ entity, values }: Peek): Promise<string | null> {
  const key = JSON.stringify([entity, Object.keys(values).sort()])
  return new Promise((resolve, reject) => {
    const batch = batches.get(key)
    if (batch) {
      batch.waiting.push({ values, resolve, reject })
      return
    }
    const opened = { entity, waiting: [{ values, resolve, reject }] }
    batches.set(key, opened)
    setTimeout(() => {
      batches.delete(key)
      void answer(opened)
    })
  })
}

async function answer({ entity, waiting }: Batch): Promise<void> {
  try {
    const titles = await loadTitles(
      entity,
      waiting.map(({ values }) => values),
    )
    for (const { values, resolve } of waiting) resolve(titles.get(keyOfValues(values)) ?? null)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}

/** One request for as many as a page may have. */
async function loadTitles(
  entity: string,
  wanted: readonly Values[],
): Promise<Map<string, string | null>> {
  const { data: columns } = await getQueryClient().fetchQuery(columnsOptions(entity))
  const titles = new Map<string, string | null>()
  const fields = Object.keys(wanted[0] ?? {})
  const size = batchSize(fields)
  for (let at = 0; at < wanted.length; at += size) {
    const search = titlesSearch(columns, wanted.slice(at, at + size))
    if (!search) continue
    const { data } = await api<EntityRecord>(entityPath(entity, '/search'), {
      method: 'POST',
      body: search,
    })
    for (const [key, title] of titlesByKey(data, columns, fields)) titles.set(key, title)
  }
  return titles
}
