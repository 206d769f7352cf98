import { PanelLeftCloseIcon, PanelLeftOpenIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { Fragment } from 'react'
import { EntityNav } from '@/components/entity-nav/entity-nav'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { useScrolledTo } from '@/components/ui/use-scrolled-to'
import { Logo } from './logo'
import { activeItem, mayOpen, NAV_GROUPS, type NavItem } from './nav-items'
import { useViewer } from './viewer'

type Props = { collapsed: boolean; onToggle: () => void }

export function Sidebar({ collapsed, onToggle }: Props) {
  const Icon = collapsed ? PanelLeftOpenIcon : PanelLeftCloseIcon
  return (
    <aside
      className={cn(
        'sticky top-0 hidden h-dvh shrink-0 flex-col border-r bg-sidebar md:flex',
        collapsed ? 'w-13' : 'w-56',
      )}
    >
      <div className={cn('flex h-12 items-center', collapsed ? 'justify-center' : 'px-4')}>
        <Link
          href="/"
          className="flex items-center gap-2 rounded font-semibold"
          aria-label="Engine"
        >
          <Logo />
          {!collapsed && <span>Engine</span>}
        </Link>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <SidebarNav collapsed={collapsed} />
      </nav>
      <div className={cn('flex border-t p-2', collapsed ? 'justify-center' : 'justify-end')}>
        <IconButton
          icon={Icon}
          title="Press [ to switch"
          onClick={onToggle}
          aria-expanded={!collapsed}
          label={collapsed ? 'Expand the sidebar' : 'Collapse the sidebar'}
        />
      </div>
    </aside>
  )
}

type NavProps = { collapsed: boolean; onNavigate?: () => void }

export function SidebarNav({ collapsed, onNavigate }: NavProps) {
  const viewer = useViewer()
  const path = usePathname()
  // An open entity has an entry of its own in the list of entities.
  const active = collapsed || !path.startsWith('/entities/') ? activeItem(path)?.href : undefined
  const groups = NAV_GROUPS.map((group) => ({
    ...group,
    items: group.items.filter((item) => mayOpen(viewer, item)),
  }))
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ label, items }) => (
      <Fragment key={label}>
        <div className="mb-3">
          <h2 className={cn('px-2 py-1 text-xs text-muted-foreground', collapsed && 'sr-only')}>
            {label}
          </h2>
          <ul className="grid gap-px">
            {items.map((item) => (
              <NavEntry
                key={item.href}
                item={item}
                active={item.href === active}
                collapsed={collapsed}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        </div>
        {label === 'Data' && !collapsed && <EntityNav onNavigate={onNavigate} />}
      </Fragment>
    ))
}

type EntryProps = NavProps & { item: NavItem; active: boolean }

function NavEntry({ item, active, collapsed, onNavigate }: EntryProps) {
  const { href, label, icon: Icon } = item
  return (
    <li ref={useScrolledTo(active)}>
      <Link
        href={href}
        onClick={onNavigate}
        aria-current={active ? 'page' : undefined}
        aria-label={collapsed ? label : undefined}
        title={collapsed ? label : undefined}
        className={cn(
          'flex h-8 items-center gap-2.5 rounded-md px-2 text-[13px] text-muted-foreground transition-colors hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2',
          active && 'bg-accent font-medium text-foreground',
          collapsed && 'justify-center px-0',
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {!collapsed && label}
      </Link>
    </li>
  )
}
