import {
  BlocksIcon,
  BookOpenIcon,
  DatabaseIcon,
  FileDownIcon,
  FileUpIcon,
  HistoryIcon,
  ImageIcon,
  KeyRoundIcon,
  LayoutDashboardIcon,
  type LucideIcon,
  MailIcon,
  ScrollTextIcon,
  SettingsIcon,
  ShieldCheckIcon,
  Trash2Icon,
  UsersIcon,
  WebhookIcon,
} from 'lucide-react'
import { can, canForSome, type Permission, type RecordAction } from '@/lib/auth/rights'
import { holderOf, type Viewer } from './viewer-of'

export type NavItem = {
  href: string
  label: string
  icon: LucideIcon
  /** Shown to users who have this right; without one, to everyone. */
  permission?: Permission
  /** Shown to users who have this right on the records of any entity. */
  action?: RecordAction
  /** Second key after `g`. */
  key?: string
}

/** Every page of the console, in the order of the sidebar. */
export const NAV_GROUPS: { label: string; items: NavItem[] }[] = [
  {
    label: 'Data',
    items: [
      { href: '/', label: 'Dashboard', icon: LayoutDashboardIcon, key: 'd' },
      { href: '/entities', label: 'Entities', icon: DatabaseIcon, key: 'e' },
      { href: '/images', label: 'Images', icon: ImageIcon, permission: 'images:read', key: 'i' },
      { href: '/imports', label: 'Imports', icon: FileUpIcon, action: 'write', key: 'n' },
      { href: '/exports', label: 'Exports', icon: FileDownIcon, action: 'read', key: 'x' },
      { href: '/trash', label: 'Recently changed', icon: Trash2Icon, action: 'delete', key: 't' },
    ],
  },
  {
    label: 'Plugins',
    items: [
      {
        href: '/plugins',
        label: 'Plugins',
        icon: BlocksIcon,
        permission: 'plugins:read',
        key: 'p',
      },
      {
        href: '/plugins/history',
        label: 'History',
        icon: HistoryIcon,
        permission: 'plugins:read',
        key: 'h',
      },
    ],
  },
  {
    label: 'Access',
    items: [
      { href: '/users', label: 'Users', icon: UsersIcon, permission: 'users:manage', key: 'u' },
      { href: '/roles', label: 'Roles', icon: ShieldCheckIcon, permission: 'users:manage' },
      {
        href: '/api-keys',
        label: 'API keys',
        icon: KeyRoundIcon,
        permission: 'keys:manage',
        key: 'k',
      },
      { href: '/api-docs', label: 'API reference', icon: BookOpenIcon, key: 'r' },
    ],
  },
  {
    label: 'System',
    items: [
      { href: '/mail', label: 'Mail', icon: MailIcon, permission: 'mail:manage', key: 'm' },
      {
        href: '/webhooks',
        label: 'Webhooks',
        icon: WebhookIcon,
        permission: 'webhooks:manage',
      },
      { href: '/audit', label: 'Audit', icon: ScrollTextIcon, permission: 'system:read', key: 'a' },
      {
        href: '/settings',
        label: 'Settings',
        icon: SettingsIcon,
        permission: 'system:read',
        key: 's',
      },
    ],
  },
]

export const NAV_ITEMS = NAV_GROUPS.flatMap(({ items }) => items)

/** Whether the page is for `viewer`. */
export function mayOpen(viewer: Viewer, { permission, action }: NavItem): boolean {
  const holder = holderOf(viewer)
  return (!permission || can(holder, permission)) && (!action || canForSome(holder, action))
}

/** The entry a path belongs to: the longest that it starts with. */
export function activeItem(path: string): NavItem | undefined {
  return NAV_ITEMS.filter(
    ({ href }) => path === href || (href !== '/' && path.startsWith(`${href}/`)),
  )
    .sort((a, b) => b.href.length - a.href.length)
    .at(0)
}
