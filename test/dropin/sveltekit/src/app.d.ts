// The package declares `locals.auth`, and the session in page data.
import '@auth/sveltekit'
