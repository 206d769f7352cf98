import { Dialog } from '@base-ui/react/dialog'
import { useIsFetching } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  KeyRoundIcon,
  MoonIcon,
  MousePointerClickIcon,
  SunIcon,
  UploadIcon,
  UserPlusIcon,
} from 'lucide-react'
import { useTheme } from 'next-themes'
import { useDeferredValue, useState } from 'react'
import { backdropClass } from '@/components/ui/dialog'
import { useNavigate } from '@/components/ui/pending-page'
import { can, type Permission } from '@/lib/auth/rights'
import { mayOpen, NAV_ITEMS } from './nav-items'
import { readPageActions } from './page-actions'
import { FoundObjects, FoundRecords } from './palette-found'
import { Group, Item } from './palette-items'
import { useViewer } from './viewer'
import { holderOf } from './viewer-of'

type Props = { open: boolean; onClose: () => void }

/** Goes to any page, entity, record, plugin, user or image, and runs actions. */
export default function CommandPalette({ open, onClose }: Props) {
  // Here, since what is in the dialog ends with it.
  const navigate = useNavigate()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-popover shadow-overlay outline-none overlay-fade">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Palette onClose={onClose} navigate={navigate} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type PaletteProps = { onClose: () => void; navigate: (href: string) => void }

function Palette({ onClose, navigate }: PaletteProps) {
  const [text, setText] = useState('')
  const [actions] = useState(() => readPageActions())
  const term = useDeferredValue(text.trim())
  const isSearching = useIsFetching({ queryKey: ['commands'] }) > 0 || term !== text.trim()
  const viewer = useViewer()
  const allowed = (permission: Permission) => can(holderOf(viewer), permission)
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  const go = (href: string) => run(() => navigate(href))
  return (
    <Command label="Search and commands" loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Go to a page, entity, record, user or image, or run an action"
        className="h-12 w-full border-b bg-transparent px-4 text-[15px] outline-none placeholder:text-muted-foreground"
      />
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-muted-foreground">
          {isSearching ? 'Searching…' : `Nothing matches “${text}”`}
        </Command.Empty>
        <FoundRecords term={term} go={go} />
        <FoundObjects term={term} allowed={allowed} go={go} />
        {actions.length > 0 && (
          <Group heading="On this page">
            {actions.map(({ label, run: act }) => (
              <Item
                key={label}
                value={`on this page ${label}`}
                icon={MousePointerClickIcon}
                label={label}
                // The dialog gives the focus back before the action takes it.
                onSelect={run(() => setTimeout(act))}
              />
            ))}
          </Group>
        )}
        <Group heading="Pages">
          {NAV_ITEMS.filter((item) => mayOpen(viewer, item)).map(({ href, label, icon }) => (
            <Item
              key={href}
              value={`page ${label}`}
              words={PAGE_WORDS[href]}
              icon={icon}
              label={label}
              onSelect={go(href)}
            />
          ))}
        </Group>
        <PaletteActions allowed={allowed} go={go} run={run} />
      </Command.List>
    </Command>
  )
}

type PaletteActionsProps = {
  allowed: (permission: Permission) => boolean
  go: (href: string) => () => void
  run: (act: () => void) => () => void
}

/** What can be done from any page. */
function PaletteActions({ allowed, go, run }: PaletteActionsProps) {
  const { setTheme } = useTheme()
  return (
    <Group heading="Actions">
      {allowed('plugins:install') && (
        <Item
          value="install plugin"
          words={ACTION_WORDS.install}
          icon={UploadIcon}
          label="Install a plugin"
          onSelect={go('/plugins?install=1')}
        />
      )}
      {allowed('users:manage') && (
        <Item
          value="create user"
          words={ACTION_WORDS.user}
          icon={UserPlusIcon}
          label="Create a user"
          onSelect={go('/users/new')}
        />
      )}
      {allowed('keys:manage') && (
        <Item
          value="create api key"
          words={ACTION_WORDS.key}
          icon={KeyRoundIcon}
          label="Create an API key"
          onSelect={go('/api-keys?create=1')}
        />
      )}
      <Item
        value="light theme"
        words={ACTION_WORDS.light}
        icon={SunIcon}
        label="Light theme"
        onSelect={run(() => setTheme('light'))}
      />
      <Item
        value="dark theme"
        words={ACTION_WORDS.dark}
        icon={MoonIcon}
        label="Dark theme"
        onSelect={run(() => setTheme('dark'))}
      />
    </Group>
  )
}

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

/** Other words for actions, by label. */
const ACTION_WORDS = {
  install: ['upload', 'zip', 'add plugin', 'new plugin'],
  user: ['new user', 'add user', 'invite', 'add person', 'new account', 'member'],
  key: ['new key', 'token', 'credential', 'add key'],
  light: ['bright', 'day', 'appearance', 'mode'],
  dark: ['night', 'appearance', 'mode'],
}
