'use client'
import { ChevronRightIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { Link } from '@/components/ui/link'
import { NAV_ITEMS } from './nav-items'

const NAMES: Record<string, string> = {
  new: 'New',
  definition: 'Definition',
  profile: 'Profile',
}

/** Where the page is, from its address. */
export function Breadcrumbs() {
  const crumbs = crumbsOf(usePathname())
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

/** `/plugins/history/1` → Plugins, History, 1. */
export function crumbsOf(path: string): { href: string; label: string }[] {
  if (path === '/') return [{ href: '/', label: 'Dashboard' }]
  const parts = path.split('/').filter(Boolean)
  return parts.map((part, index) => {
    const href = `/${parts.slice(0, index + 1).join('/')}`
    const known = NAV_ITEMS.find((item) => item.href === href)?.label ?? NAMES[part]
    return { href, label: known ?? shorten(decodeURIComponent(part)) }
  })
}

const shorten = (text: string) => (/^[0-9a-f]{8}-/.test(text) ? text.slice(0, 8) : text)
