import { addRoute, createRouter, findRoute } from 'rou3'
import type { Routes } from '@/lib/openapi/api-document'

type Handlers = Routes[string]
export type FoundRoute = { handlers: Handlers; params: Record<string, string | string[]> }

const LIST = /\[\.\.\.(\w+)\]/

/**
 * A function that finds the handlers of a path and its decoded parameters, by Next's rules: a fixed
 * segment comes before a parameter, and that before a list. Null for a path without a route.
 */
export function routeFinder(routes: Routes): (pathname: string) => FoundRoute | null {
  const router = createRouter<{ handlers: Handlers; list: string | undefined }>()
  for (const [path, handlers] of Object.entries(routes))
    addRoute(router, '', patternOf(path), { handlers, list: LIST.exec(path)?.[1] })
  return (pathname) => {
    const found = findRoute(router, '', pathname)
    if (!found) return null
    const { handlers, list } = found.data
    return { handlers, params: decodeParams(found.params ?? {}, list) }
  }
}

const patternOf = (path: string): string =>
  path
    .replace(/\[\[\.\.\.\w+\]\]/, '**')
    .replace(LIST, '**:$1')
    .replace(/\[(\w+)\]/g, ':$1')

function decodeParams(
  params: Record<string, string>,
  list: string | undefined,
): FoundRoute['params'] {
  const decoded = Object.entries(params).map(([name, value]) => [
    name,
    name === list ? value.split('/').map(decodeURIComponent) : decodeURIComponent(value),
  ])
  return Object.fromEntries(decoded)
}
