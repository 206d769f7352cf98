import {
  DatabaseIcon,
  KeyRoundIcon,
  type LucideIcon,
  MoonIcon,
  MousePointerClickIcon,
  SunIcon,
  UploadIcon,
  UserPlusIcon,
} from 'lucide-react'
import { useTheme } from 'next-themes'
import { useState } from 'react'
import { can, type Permission } from '@/lib/auth/rights'
import { mayOpen, NAV_ITEMS } from './nav-items'
import { readPageActions } from './page-actions'
import { type Result, type ResultGroup, rankResults } from './palette-results'
import { useFoundResults } from './use-found-results'
import { useViewer } from './viewer'
import { holderOf } from './viewer-of'

type Options = { term: string; onClose: () => void; navigate: (href: string) => void }

/** Everything that `term` matches, the best first. `isAnswered`: nothing of it is still on its way. */
export function usePaletteResults({ term, onClose, navigate }: Options) {
  const viewer = useViewer()
  const { setTheme } = useTheme()
  const [actions] = useState(() => readPageActions())
  const allowed = (permission: Permission) => can(holderOf(viewer), permission)
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  const go = (href: string) => run(() => navigate(href))
  const found = useFoundResults({ term, allowed, go })
  const [objects, records] = found.groups
  const pages: Result[] = NAV_ITEMS.filter((item) => mayOpen(viewer, item)).map(
    ({ href, label, icon }) => ({
      id: `page ${href}`,
      label,
      words: PAGE_WORDS[href],
      icon,
      onSelect: go(href),
    }),
  )
  const onPage: Result[] = actions.map(({ label, run: act }) => ({
    id: `on this page ${label}`,
    label,
    icon: MousePointerClickIcon,
    // The dialog gives the focus back before the action takes it.
    onSelect: run(() => setTimeout(act)),
  }))
  const anywhere: Result[] = ACTIONS.filter(
    ({ permission }) => !permission || allowed(permission),
  ).map(({ href, theme, ...action }) => ({
    ...action,
    id: `action ${action.label}`,
    onSelect: href ? go(href) : run(() => setTheme(theme ?? 'system')),
  }))
  const groups: ResultGroup[] = [
    ...(objects ? [objects] : []),
    { heading: 'On this page', results: onPage },
    { heading: 'Pages', results: pages },
    { heading: 'Actions', results: anywhere },
    ...(records ? [records] : []),
  ]
  return { groups: rankResults(groups, term), isAnswered: found.isAnswered }
}

type Action = {
  label: string
  words: string[]
  icon: LucideIcon
  permission?: Permission
  href?: string
  theme?: 'light' | 'dark'
}

/** What can be done from any page, with other words for it. */
const ACTIONS: Action[] = [
  {
    label: 'Install a plugin',
    words: ['upload', 'zip', 'add plugin', 'new plugin'],
    icon: UploadIcon,
    permission: 'plugins:install',
    href: '/plugins?install=1',
  },
  {
    label: 'Create an entity',
    words: ['new entity', 'add entity', 'new table', 'data model', 'new type'],
    icon: DatabaseIcon,
    permission: 'plugins:install',
    href: '/new-entity',
  },
  {
    label: 'Create a user',
    words: ['new user', 'add user', 'invite', 'add person', 'new account', 'member'],
    icon: UserPlusIcon,
    permission: 'users:manage',
    href: '/users/new',
  },
  {
    label: 'Create an API key',
    words: ['new key', 'token', 'credential', 'add key'],
    icon: KeyRoundIcon,
    permission: 'keys:manage',
    href: '/api-keys?create=1',
  },
  {
    label: 'Light theme',
    words: ['bright', 'day', 'appearance', 'mode'],
    icon: SunIcon,
    theme: 'light',
  },
  {
    label: 'Dark theme',
    words: ['night', 'appearance', 'mode'],
    icon: MoonIcon,
    theme: 'dark',
  },
]

/** Other words for pages, by address: what people of other consoles would type. */
const PAGE_WORDS: Record<string, string[]> = {
  '/': ['home', 'overview', 'start'],
  '/entities': ['tables', 'collections', 'data', 'models', 'content types'],
  '/images': ['media', 'files', 'assets', 'uploads', 'pictures'],
  '/trash': ['deleted', 'bin', 'restore', 'undo'],
  '/plugins': ['extensions', 'packages', 'install', 'zip'],
  '/plugins/history': ['installs', 'runs', 'log', 'what happened'],
  '/users': ['people', 'accounts', 'members', 'team'],
  '/roles': ['rights', 'permissions', 'access', 'policies'],
  '/api-keys': ['tokens', 'credentials', 'secrets'],
  '/api-docs': ['documentation', 'openapi', 'swagger', 'rest', 'curl'],
  '/mail': ['email', 'outbox', 'invitations'],
  '/audit': ['log', 'activity', 'who did what'],
  '/imports': ['uploads', 'load', 'csv', 'excel'],
  '/exports': ['downloads', 'csv', 'excel'],
  '/settings': ['configuration', 'environment'],
}
