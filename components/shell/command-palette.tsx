'use client'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import {
  BlocksIcon,
  DatabaseIcon,
  ImageIcon,
  KeyRoundIcon,
  type LucideIcon,
  MoonIcon,
  SunIcon,
  UploadIcon,
  UserIcon,
  UserPlusIcon,
} from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTheme } from 'next-themes'
import { useDeferredValue, useState } from 'react'
import { backdropClass } from '@/components/ui/dialog'
import { can, type Permission } from '@/lib/auth/rights'
import { findObjects, type Hit } from './find-objects'
import { mayOpen, NAV_ITEMS } from './nav-items'
import { Group, Item } from './palette-items'
import { useViewer } from './viewer'
import { holderOf } from './viewer-of'

type Props = { open: boolean; onClose: () => void }

const ICONS: Record<Hit['kind'], LucideIcon> = {
  entity: DatabaseIcon,
  plugin: BlocksIcon,
  user: UserIcon,
  image: ImageIcon,
}

/** Goes to any page, entity, plugin, user or image, and runs actions. */
export default function CommandPalette({ open, onClose }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-popover shadow-overlay outline-none overlay-fade">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Palette onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const term = useDeferredValue(text.trim())
  const viewer = useViewer()
  const router = useRouter()
  const { setTheme } = useTheme()
  const allowed = (permission: Permission) => can(holderOf(viewer), permission)
  const { data: hits = [] } = useQuery({
    queryKey: ['commands', term],
    queryFn: ({ signal }) => findObjects(term, allowed, signal),
    placeholderData: (before) => before,
  })
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  const go = (href: string) => run(() => router.push(href))
  return (
    <Command label="Search and commands" loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        placeholder="Go to a page, entity, plugin, user or image"
        className="h-12 w-full border-b bg-transparent px-4 text-[15px] outline-none placeholder:text-muted-foreground"
      />
      <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-8 text-center text-muted-foreground">
          Nothing matches “{text}”
        </Command.Empty>
        <Group heading="Pages">
          {NAV_ITEMS.filter((item) => mayOpen(viewer, item)).map(({ href, label, icon }) => (
            <Item
              key={href}
              value={`page ${label}`}
              icon={icon}
              label={label}
              onSelect={go(href)}
            />
          ))}
        </Group>
        {hits.length > 0 && (
          <Group heading="Objects">
            {hits.map(({ kind, href, label }) => (
              <Item
                key={href}
                value={`${kind} ${label}`}
                icon={ICONS[kind]}
                label={label}
                note={kind}
                onSelect={go(href)}
              />
            ))}
          </Group>
        )}
        <Group heading="Actions">
          {allowed('plugins:install') && (
            <Item
              value="install plugin"
              icon={UploadIcon}
              label="Install a plugin"
              onSelect={go('/plugins?install=1')}
            />
          )}
          {allowed('users:manage') && (
            <Item
              value="create user"
              icon={UserPlusIcon}
              label="Create a user"
              onSelect={go('/users/new')}
            />
          )}
          {allowed('keys:manage') && (
            <Item
              value="create api key"
              icon={KeyRoundIcon}
              label="Create an API key"
              onSelect={go('/api-keys?create=1')}
            />
          )}
          <Item
            value="light theme"
            icon={SunIcon}
            label="Light theme"
            onSelect={run(() => setTheme('light'))}
          />
          <Item
            value="dark theme"
            icon={MoonIcon}
            label="Dark theme"
            onSelect={run(() => setTheme('dark'))}
          />
        </Group>
      </Command.List>
    </Command>
  )
}
