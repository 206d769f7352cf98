'use client'
import { createContext, type ReactNode, use } from 'react'
import { can, type Right } from '@/lib/auth/rights'
import { holderOf, type Viewer } from './viewer-of'

const ViewerContext = createContext<Viewer | null>(null)

export const ViewerProvider = ({ viewer, children }: { viewer: Viewer; children: ReactNode }) => (
  <ViewerContext value={viewer}>{children}</ViewerContext>
)

/** Throws outside the console's layout. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (!viewer) throw new Error('useViewer() outside the console')
  return viewer
}

/** Whether to offer an action. The server checks again when it is run. */
export function useCan(right: Right): boolean {
  return can(holderOf(useViewer()), right)
}
