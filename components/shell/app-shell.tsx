'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useCallback, useState } from 'react'
import { SessionGuard } from '@/components/auth/session-guard'
import { LeaveGuard } from '@/components/drafts/leave-guard'
import type { NavMemory } from '@/components/entity-nav/nav-memory'
import { NavMemoryProvider } from '@/components/entity-nav/use-nav-memory'
import { cn } from '@/components/ui/cn'
import { useIsPageWaiting } from '@/components/ui/pending-page'
import { CommandLauncher } from './command-launcher'
import { OfflineBanner } from './offline-banner'
import { Sidebar } from './sidebar'
import { TopBar } from './top-bar'
import { useKeptFocus } from './use-kept-focus'
import { ViewerProvider } from './viewer'
import type { Viewer } from './viewer-of'

const MobileNav = dynamic(() => import('./mobile-nav'), { ssr: false })

type Props = {
  viewer: Viewer
  initiallyCollapsed: boolean
  navMemory: NavMemory
  children: ReactNode
}

/** Frame of every page of the console: skip link, sidebar, top bar, content. */
export function AppShell({ viewer, initiallyCollapsed, navMemory, children }: Props) {
  const [collapsed, setCollapsed] = useState(initiallyCollapsed)
  const [menuOpen, setMenuOpen] = useState(false)
  useKeptFocus()
  const toggle = useCallback(() => {
    setCollapsed((before) => {
      rememberCollapsed(!before)
      return !before
    })
  }, [])
  return (
    <ViewerProvider viewer={viewer}>
      <PageProgress />
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-3 py-1.5 text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <NavMemoryProvider initial={navMemory}>
          <Sidebar collapsed={collapsed} onToggle={toggle} />
          {menuOpen && <MobileNav onClose={() => setMenuOpen(false)} />}
        </NavMemoryProvider>
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar onOpenMenu={() => setMenuOpen(true)} />
          <OfflineBanner />
          <main
            id="content"
            tabIndex={-1}
            className="flex min-w-0 flex-1 flex-col outline-none lg:pr-(--beside)"
          >
            {children}
          </main>
        </div>
      </div>
      <CommandLauncher onToggleSidebar={toggle} />
      <SessionGuard />
      <LeaveGuard />
    </ViewerProvider>
  )
}

// A cookie, so that the server draws the sidebar as it was left and nothing moves.
function rememberCollapsed(collapsed: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `sidebar=${collapsed ? 'collapsed' : 'open'}; path=/; max-age=31536000; samesite=lax`
}

/** A bar at the top of the window while a page is on its way: its length grows, never to the end. */
function PageProgress() {
  const isWaiting = useIsPageWaiting()
  return (
    <>
      <div
        aria-hidden
        className={cn(
          'pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 origin-left bg-primary',
          isWaiting
            ? 'scale-x-90 opacity-100 transition-transform duration-[8s] ease-out delay-150'
            : 'scale-x-0 opacity-0',
        )}
      />
      <span role="status" className="sr-only">
        {isWaiting && 'Loading the page'}
      </span>
    </>
  )
}
