import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { keepNavMemory, type NavMemory } from './nav-memory'

type Held = readonly [NavMemory, (change: Partial<NavMemory>) => void]

const NavMemoryContext = createContext<Held | null>(null)

/** Holds what a person arranged in the list of entities, for the sidebar and its narrow form. */
export function NavMemoryProvider({
  initial,
  children,
}: {
  initial: NavMemory
  children: ReactNode
}) {
  const [memory, setMemory] = useState(initial)
  const update = useCallback(
    (change: Partial<NavMemory>) =>
      setMemory((before) => {
        const after = { ...before, ...change }
        keepNavMemory(after)
        return after
      }),
    [],
  )
  return <NavMemoryContext value={[memory, update]}>{children}</NavMemoryContext>
}

export function useNavMemory(): Held {
  const held = use(NavMemoryContext)
  if (!held) throw new Error('useNavMemory() outside the console')
  return held
}
