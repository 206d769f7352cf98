import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { readPrivate, writePrivate } from '@/components/ui/private-storage'

export type Density = 'compact' | 'comfortable'
export type Layout = { density: Density; widths: Record<string, number> }

const INITIAL: Layout = { density: 'comfortable', widths: {} }
const listeners = new Set<() => void>()
const cache = new Map<string, { text: string | null; layout: Layout }>()

/** Widths and density of a table: a matter of the screen, so they stay in this browser. */
export function useTableLayout(key: string) {
  const name = `table:${key}`
  const layout = useSyncExternalStore(
    subscribe,
    () => read(name),
    () => INITIAL,
  )
  const update = useCallback(
    (change: Partial<Layout>) => write(name, { ...read(name), ...change }),
    [name],
  )
  return useMemo(
    () => ({
      ...layout,
      setDensity: (density: Density) => update({ density }),
      setWidth: (id: string, width: number) =>
        update({ widths: { ...read(name).widths, [id]: Math.round(width) } }),
      resetWidths: () => update({ widths: {} }),
    }),
    [layout, update, name],
  )
}

export type TableLayout = ReturnType<typeof useTableLayout>

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The same object while the text is the same, as useSyncExternalStore needs.
function read(name: string): Layout {
  const text = readPrivate(name)
  const known = cache.get(name)
  if (known && known.text === text) return known.layout
  const layout = { ...INITIAL, ...parse(text) }
  cache.set(name, { text, layout })
  return layout
}

function parse(text: string | null): Partial<Layout> {
  try {
    return text ? JSON.parse(text) : {}
  } catch {
    return {}
  }
}

function write(name: string, layout: Layout): void {
  writePrivate(name, JSON.stringify(layout))
  for (const listener of listeners) listener()
}
