import { installBooks } from './books'
import { expect, test } from './fixtures'

/** Of the tree as a screen reader reads it: `texts` in this order, and no control without a name. */
function expectRead(tree: string, texts: string[]): void {
  let from = 0
  const read = texts.filter((text) => {
    const at = tree.indexOf(text, from)
    if (at >= 0) from = at + text.length
    return at >= 0
  })
  expect(read).toEqual(texts)
  expect(tree).not.toMatch(/- (button|link|checkbox|textbox|combobox)( \[\w+\])*:?$/m)
}

test('an entity is read as its name, its actions, its search, its table and the pages', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Spoken')
  await admin.goto('/entities/Spoken?size=10')
  await expect(admin.getByText('Book 000')).toBeVisible()
  const tree = await admin.locator('body').ariaSnapshot()
  expectRead(tree, [
    'link "Skip to content"',
    'navigation "Main"',
    'navigation "Breadcrumbs"',
    'button "Search and commands"',
    'main',
    'heading "Spoken" [level=1]',
    'button "Export"',
    'button "Import"',
    'button "More actions"',
    'button "Create"',
    'searchbox "Search Title, Kind, Room"',
    'button "Filter"',
    'button "Views"',
    'button "Columns"',
    'table "Records of Spoken"',
    'checkbox "Select all on this page"',
    'columnheader "ID"',
    'button "ID"',
    'columnheader "Title"',
    'button "Title"',
    'checkbox "Select 1"',
    'cell "Book 000"',
    'checkbox "Select 2"',
    'cell "Book 001"',
    'navigation "Pages"',
    '1–10 of 150',
    'combobox "Rows per page"',
    'textbox "Go to page"',
    'button "Previous page"',
    'button "Next page"',
  ])
  expect(tree.match(/\[level=1\]/g)).toHaveLength(1)
})

test('a record is read as its title, what can be done with it, and each field with its value', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'ToldBook')
  await admin.goto('/entities/ToldBook?record=3')
  const panel = admin.getByRole('dialog', { name: 'Book 002' })
  await expect(panel.getByText('poem')).toBeVisible()
  expectRead(await panel.ariaSnapshot(), [
    'separator "Width of the panel"',
    'heading "Book 002" [level=2]',
    'paragraph: ToldBook 3',
    'button "Previous record"',
    'button "Next record"',
    'button "Edit"',
    'button "Delete"',
    'button "Close"',
    'tab "Fields" [selected]',
    'tab "JSON"',
    'tab "History"',
    'term: "Title (title: string)"',
    'definition: Book 002',
    'button "Only records with this Title"',
    'term: "Kind (kind: string)"',
    'definition: poem',
  ])
  await panel.getByRole('button', { name: 'Edit' }).click()
  const form = admin.getByRole('dialog', { name: 'Edit Book 002' })
  await expect(form.getByRole('textbox', { name: 'Title' })).toBeVisible()
  expectRead(await form.ariaSnapshot(), [
    'heading "Edit Book 002" [level=2]',
    'button "Close"',
    'tab "Form" [selected]',
    'textbox "Title": Book 002',
    'paragraph: at most 60 characters',
    'combobox "Kind": poem',
    'button "Cancel"',
    'button "Save"',
  ])
})

test('a question is read as what it asks, what is lost, and its answers', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Questioned')
  await admin.goto('/entities/Questioned?size=10')
  await admin.getByRole('checkbox', { name: 'Select 1', exact: true }).check()
  await admin.getByRole('button', { name: 'Delete' }).first().click()
  const question = admin.getByRole('alertdialog')
  await expect(question).toContainText('It can be restored')
  expectRead(await question.ariaSnapshot(), [
    'alertdialog "Delete 1 record of Questioned?"',
    'heading "Delete 1 record of Questioned?" [level=2]',
    'text: It can be restored for 7 days.',
    'button "Cancel"',
    'button "Delete record"',
  ])
})
