import type { Handler } from '@/lib/http/route'

type Route = {
  handlers: Partial<Record<string, Handler>>
  params: Record<string, string | string[]>
}
type FindRoute = (pathname: string) => Route | null

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineOwnRoutes?: FindRoute }

/** Says by which handlers this server does what it asks of itself. */
export function offerOwnRoutes(find: FindRoute): void {
  shared.__engineOwnRoutes = find
}

/** Null for a path that is not offered. */
export const findOwnRoute: FindRoute = (pathname) => shared.__engineOwnRoutes?.(pathname) ?? null

/** Whether they are offered yet: `next dev` loads them with the first request. */
export const hasOwnRoutes = () => shared.__engineOwnRoutes !== undefined
