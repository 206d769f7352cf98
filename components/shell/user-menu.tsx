'use client'
import { KeyboardIcon, LogOutIcon, UserIcon } from 'lucide-react'
import { useTheme } from 'next-themes'
import { dropDraftsOf } from '@/components/drafts/stored-drafts'
import { leave } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import {
  Menu,
  MenuHeading,
  MenuItem,
  MenuLink,
  MenuRadioGroup,
  MenuSeparator,
} from '@/components/ui/menu'
import { clearPrivate } from '@/components/ui/private-storage'
import { openShortcuts } from './command-launcher'
import { useViewer } from './viewer'

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function UserMenu() {
  const { userId, email, roles } = useViewer()
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
      <MenuItem onClick={() => leave(() => void endSession(userId))}>
        <LogOutIcon aria-hidden /> Sign out
      </MenuItem>
      <MenuHeading>Engine</MenuHeading>
    </Menu>
  )
}

/** Signs out; nothing that the user typed stays on this device. */
async function endSession(userId: string): Promise<void> {
  dropDraftsOf(userId)
  clearPrivate()
  const { signOut } = await import('next-auth/react')
  await signOut({ callbackUrl: '/login' })
}
