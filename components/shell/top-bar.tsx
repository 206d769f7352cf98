import {
  ChevronRightIcon,
  KeyboardIcon,
  LogOutIcon,
  MenuIcon,
  SearchIcon,
  UserIcon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { usePathname } from 'next/navigation'
import { useTheme } from 'next-themes'
import { leave } from '@/components/drafts/unsaved'
import { Button, IconButton } from '@/components/ui/button'
import { Kbd, ModKey } from '@/components/ui/kbd'
import { Link } from '@/components/ui/link'
import {
  Menu,
  MenuHeading,
  MenuItem,
  MenuLink,
  MenuRadioGroup,
  MenuSeparator,
} from '@/components/ui/menu'
import { openCommands, openShortcuts } from './command-launcher'
import { useCrumb } from './crumb'
import { NAV_ITEMS } from './nav-items'
import { type ServerFacts, useServerFacts } from './server-facts'
import { useViewer } from './viewer'

const TaskChip = dynamic(() => import('@/components/tasks/task-chip'), { ssr: false })

export function TopBar({ onOpenMenu }: { onOpenMenu: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b bg-background px-3 md:px-6">
      <IconButton
        icon={MenuIcon}
        size="icon"
        className="md:hidden"
        label="Open the menu"
        onClick={onOpenMenu}
      />
      <Breadcrumbs />
      <div className="ml-auto flex min-w-0 justify-end">
        <TaskChip />
      </div>
      <button
        type="button"
        onClick={openCommands}
        aria-label="Search and commands"
        className="flex h-8 shrink-0 items-center gap-2 rounded-md border bg-card px-2 text-[13px] text-muted-foreground hover:bg-accent sm:w-56"
      >
        <SearchIcon aria-hidden className="size-3.5" />
        <span className="hidden sm:inline">Search or run</span>
        <span className="ml-auto hidden gap-0.5 sm:flex">
          <ModKey />
          <Kbd>K</Kbd>
        </span>
      </button>
      <UserMenu />
    </header>
  )
}

const NAMES: Record<string, string> = {
  '/users/new': 'New user',
  '/new-entity': 'New entity',
  '/settings/mails': 'Mails',
  '/settings/servers': 'Other servers',
  '/profile': 'Profile and password',
}

/** Where the page is, from its address. */
function Breadcrumbs() {
  const path = usePathname()
  const { label: own, open } = useCrumb(path)
  const crumbs = crumbsOf(path, own, open)
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
                <bdi aria-current="page" className="truncate font-medium">
                  {label}
                </bdi>
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

/** `/entities/Airport/definition` → Entities, Airport, Definition; `own` and `open` are the names that the page gives itself and what is open on it. */
function crumbsOf(path: string, own?: string, open?: string): { href: string; label: string }[] {
  if (path === '/') return [{ href: '/', label: 'Dashboard' }]
  const parts = path.split('/').filter(Boolean)
  const crumbs = parts.map((_, index) => {
    const href = `/${parts.slice(0, index + 1).join('/')}`
    const known = NAV_ITEMS.find((item) => item.href === href)?.label ?? NAMES[href]
    if (known) return { href, label: known }
    return { href, label: (href === path && own) || labelOf(parts, index) }
  })
  return open ? [...crumbs, { href: `${path}#`, label: open }] : crumbs
}

// Ids are not readable: until the page names its object, the kind of object is shown.
function labelOf(parts: readonly string[], index: number): string {
  const before = parts.slice(0, index).join('/')
  if (before === 'users') return 'User'
  if (before === 'webhooks') return 'Webhook'
  if (before === 'plugins/history') return 'Install'
  if (index === 2 && parts[0] === 'entities') return 'Definition'
  if (index === 3 && parts[0] === 'entities') return 'Edit'
  return decodeURIComponent(parts[index] ?? '')
}

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function UserMenu() {
  const { userId, email, roles } = useViewer()
  const { providers } = useServerFacts()
  const { theme = 'system', setTheme } = useTheme()
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Account ${email}`}>
          <span
            aria-hidden
            className="grid size-6 place-items-center rounded-full bg-primary-soft text-xs font-medium text-primary uppercase"
          >
            {email.slice(0, 1)}
          </span>
        </Button>
      }
    >
      <div className="px-2 py-1.5">
        <p className="truncate font-medium">{email}</p>
        <p className="truncate text-xs text-muted-foreground">{roles.join(', ') || 'No roles'}</p>
      </div>
      <MenuSeparator />
      <MenuLink href="/profile">
        <UserIcon aria-hidden /> Profile and password
      </MenuLink>
      <MenuItem onClick={openShortcuts}>
        <KeyboardIcon aria-hidden /> Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={setTheme} options={THEMES} />
      <MenuSeparator />
      <MenuItem onClick={() => leave(() => void endSession(userId, providers))}>
        <LogOutIcon aria-hidden /> Sign out
      </MenuItem>
      <MenuHeading>Engine</MenuHeading>
    </Menu>
  )
}

/** Few sign out: its code is not among that of each page. */
async function endSession(userId: string, providers: ServerFacts['providers']): Promise<void> {
  const { signOutEverywhere } = await import('@/components/auth/sign-out')
  await signOutEverywhere(userId, providers)
}
