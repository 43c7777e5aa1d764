package io.stockroom.console.people;

/** What a right password or a link leads to: a session, or the question for a code. */
public sealed interface SignInStep permits SignedIn, CodeNeeded {}
