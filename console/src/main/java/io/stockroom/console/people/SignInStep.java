package io.stockroom.console.people;

/** The result of a correct password or a link: a session, or a request for a code. */
public sealed interface SignInStep permits SignedIn, CodeRequired {}
