import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { api } from '@/lib/http/client'
import { entityPath } from './entity-queries'

/** The address of the image that `field` identifies by `value`; null while it is not known, or not to be read. */
export function useImage(field: string, value: string): string | null {
  const mayRead = useCan({ entity: 'EngineFiles', action: 'read' })
  return useQuery({ ...imageOptions(field, value), enabled: mayRead }).data ?? null
}

// Below the searches of images: what makes them stale makes these stale.
const imageOptions = (field: string, value: string) =>
  queryOptions({
    queryKey: ['search', 'EngineFiles', 'image', field, value],
    queryFn: () => askTogether(field, value),
    staleTime: 60_000,
    retry: false,
  })

type Waiting = {
  value: string
  resolve: (image: string | null) => void
  reject: (error: unknown) => void
}

/** Images that are asked for in the same moment, by field. */
const batches = new Map<string, Waiting[]>()

function askTogether(field: string, value: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const waiting = batches.get(field) ?? []
    if (!batches.has(field)) {
      batches.set(field, waiting)
      setTimeout(() => {
        batches.delete(field)
        void answer(field, waiting)
      })
    }
    waiting.push({ value, resolve, reject })
  })
}

async function answer(field: string, waiting: readonly Waiting[]): Promise<void> {
  try {
    const values = [...new Set(waiting.map(({ value }) => value))]
    const { data } = await api<Record<string, string>>(entityPath('EngineFiles', '/search'), {
      method: 'POST',
      body: {
        fields: [...new Set([field, 'secureUri'])],
        query: [{ field, operator: 'in', value: values }],
        pagination: { page: 0, size: values.length },
        count: 'none',
      },
    })
    const byValue = new Map(data.map((image) => [image[field], image.secureUri]))
    for (const { value, resolve } of waiting) resolve(byValue.get(value) ?? null)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
  }
}
