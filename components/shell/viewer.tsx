'use client'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { keepPrivateFor } from '@/components/ui/private-storage'
import { can, type RecordAction, type Right } from '@/lib/auth/rights'
import { holderOf, type Viewer } from './viewer-of'

const ViewerContext = createContext<Viewer | null>(null)

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  // Before the parts of the page read it.
  useMemo(() => typeof window !== 'undefined' && keepPrivateFor(viewer.userId), [viewer.userId])
  return <ViewerContext value={viewer}>{children}</ViewerContext>
}

/** Throws outside the console's layout. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (!viewer) throw new Error('useViewer() outside the console')
  return viewer
}

/** The actions on an entity's records that its own definition allows to nobody. */
type Closed = { entity: string; actions: readonly RecordAction[] }

const ClosedContext = createContext<Closed>({ entity: '', actions: [] })

export const ClosedActions = ({ children, ...closed }: Closed & { children: ReactNode }) => (
  <ClosedContext value={closed}>{children}</ClosedContext>
)

/** Whether to offer an action. The server checks again when it is run. */
export function useCan(right: Right): boolean {
  const viewer = useViewer()
  const { entity, actions } = use(ClosedContext)
  const isClosed =
    typeof right !== 'string' && right.entity === entity && actions.includes(right.action)
  return !isClosed && can(holderOf(viewer), right)
}
