import * as z from "zod";

// To make code for each schema costs more than it saves where most are used a few times, and the first answer waits for it.
z.config({ jitless: true });
