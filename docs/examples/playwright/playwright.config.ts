import { defineConfig } from '@playwright/test'

export default defineConfig({
  // Where a Chromium is installed already; else `npx playwright install chromium` brings one.
  use: { launchOptions: { executablePath: process.env['CHROMIUM'] } },
})
