'use client'
import { ChevronRightIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { Link } from '@/components/ui/link'
import { useCrumb } from './crumb'
import { NAV_ITEMS } from './nav-items'

const NAMES: Record<string, string> = {
  '/users/new': 'New user',
  '/profile': 'Profile and password',
}

/** Where the page is, from its address. */
export function Breadcrumbs() {
  const path = usePathname()
  const crumbs = crumbsOf(path, useCrumb(path))
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-[13px]">
        {crumbs.map(({ href, label }, index) => {
          const last = index === crumbs.length - 1
          return (
            <li
              key={href}
              className={
                last
                  ? 'flex min-w-0 items-center gap-1'
                  : 'hidden shrink-0 items-center gap-1 sm:flex'
              }
            >
              {last ? (
                <span aria-current="page" className="truncate font-medium">
                  {label}
                </span>
              ) : (
                <Link href={href} className="rounded text-muted-foreground hover:text-foreground">
                  {label}
                </Link>
              )}
              {!last && <ChevronRightIcon aria-hidden className="size-3.5 text-muted-foreground" />}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** `/entities/Airport/definition` → Entities, Airport, Definition; `own` is the name that the page gives itself. */
function crumbsOf(path: string, own?: string): { href: string; label: string }[] {
  if (path === '/') return [{ href: '/', label: 'Dashboard' }]
  const parts = path.split('/').filter(Boolean)
  return parts.map((_, index) => {
    const href = `/${parts.slice(0, index + 1).join('/')}`
    const known = NAV_ITEMS.find((item) => item.href === href)?.label ?? NAMES[href]
    if (known) return { href, label: known }
    return { href, label: (href === path && own) || labelOf(parts, index) }
  })
}

// Ids are not readable: until the page names its object, the kind of object is shown.
function labelOf(parts: readonly string[], index: number): string {
  const before = parts.slice(0, index).join('/')
  if (before === 'users') return 'User'
  if (before === 'plugins/history') return 'Install'
  if (index === 2 && parts[0] === 'entities') return 'Definition'
  return decodeURIComponent(parts[index] ?? '')
}
