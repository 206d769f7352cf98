'use client'
import { MenuIcon, SearchIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { Button } from '@/components/ui/button'
import { Kbd, ModKey } from '@/components/ui/kbd'
import { Breadcrumbs } from './breadcrumbs'
import { openCommands } from './command-launcher'
import { UserMenu } from './user-menu'

const TaskChip = dynamic(() => import('@/components/tasks/task-chip'), { ssr: false })

export function TopBar({ onOpenMenu }: { onOpenMenu: () => void }) {
  return (
    <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b bg-background px-3 md:px-6">
      <Button
        variant="ghost"
        size="icon"
        className="md:hidden"
        aria-label="Open the menu"
        onClick={onOpenMenu}
      >
        <MenuIcon aria-hidden />
      </Button>
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
