'use client'
import { KeyRoundIcon, MoonIcon, SunIcon, UploadIcon, UserPlusIcon } from 'lucide-react'
import { useTheme } from 'next-themes'
import type { Permission } from '@/lib/auth/rights'
import { Group, Item } from './palette-items'
import { ACTION_WORDS } from './synonyms'

type Props = {
  allowed: (permission: Permission) => boolean
  go: (href: string) => () => void
  run: (act: () => void) => () => void
}

/** What can be done from any page. */
export function PaletteActions({ allowed, go, run }: Props) {
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
